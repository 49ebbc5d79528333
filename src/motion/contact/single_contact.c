// TEMPORARY: one contact, slip of at most one component.
#include "motion/contact/complementarity.h"
#include "motion/contact/impact.h"
#include <math.h>
#include <string.h>
size_t lia_complementarity_work(const LiaDelassus* d) { (void)d; return 0; }
size_t lia_complementarity_index(const LiaDelassus* d) { (void)d; return 0; }
LiaComplementarityStatus lia_complementarity_solve(const LiaDelassus* d, LiaComplementarity* o, double* work, int* index) {
    (void)work; (void)index;
    const LiaContactRows* c=&d->contact[0];
    o->painleve=-1; o->unique=true; o->residual=0;
    memset(o->lambda,0,sizeof(double)*(size_t)d->rows);
    LiaContactVerdict* v=&o->verdict[0];
    if (d->contacts!=1||d->rows>2) return LIA_COMPLEMENTARITY_BUDGET;
    double b=d->b[0], tol=d->noise?d->noise[0]:0;
    memset(v,0,sizeof *v); v->coupling=1;
    if (b>tol) { v->state=LIA_CONTACT_OPENS; return LIA_COMPLEMENTARITY_SOLVED; }
    v->border=fabs(b)<=tol;
    if (d->rows==1) { v->state=LIA_CONTACT_STICKS; o->lambda[0]=-b/d->W[0]; return LIA_COMPLEMENTARITY_SOLVED; }
    const double* W=d->W; double s=d->slip[1], mu=c->block[0].kinetic, ms=c->block[0].static_most;
    if (s!=0) { double sg=s>0?1:-1, den=W[0]-sg*mu*W[1]; if(den<=0){o->painleve=0;return LIA_COMPLEMENTARITY_NONE;}
      v->state=LIA_CONTACT_SLIDES; v->block[0]=LIA_CONTACT_SLIDES; v->direction[0][0]=sg; o->lambda[0]=-b/den; o->lambda[1]=-sg*mu*o->lambda[0]; return LIA_COMPLEMENTARITY_SOLVED; }
    double det=W[0]*W[3]-W[1]*W[2], N=(-b*W[3]+d->b[1]*W[1])/det, T=(-d->b[1]*W[0]+b*W[2])/det;
    double bound=ms*N-fabs(T);
    if (N>=0 && bound>=-1e-12*ms*N) { v->state=v->block[0]=LIA_CONTACT_STICKS; v->border|=fabs(bound)<=1e-10*ms*N; o->lambda[0]=N;o->lambda[1]=T; return LIA_COMPLEMENTARITY_SOLVED; }
    for (int sg=-1;sg<=1;sg+=2){ double den=W[0]-sg*mu*W[1]; if(den<=0)continue; double n=-b/den; double a=d->b[1]+W[2]*n-W[3]*sg*mu*n; if(sg*a>=0){v->state=v->block[0]=LIA_CONTACT_SLIDES;v->direction[0][0]=sg;o->lambda[0]=n;o->lambda[1]=-sg*mu*n;return LIA_COMPLEMENTARITY_SOLVED;}}
    return LIA_COMPLEMENTARITY_NONE;
}
size_t lia_impact_work(const LiaDelassus* d) { (void)d; return 0; }
size_t lia_impact_index(const LiaDelassus* d) { (void)d; return 0; }
LiaImpactStatus lia_impact_solve(const LiaDelassus* d, const LiaImpactOptions* options, LiaImpact* o, double* work, int* index) {
    (void)options;(void)work;(void)index;
    memset(o->P,0,sizeof(double)*(size_t)d->rows);
    double e=d->contact[0].restitution;
    o->contact=0; o->law=LIA_IMPACT_LAW_NEWTON; o->reduced=1; o->phases[0]=LIA_IMPACT_COMPRESSED;
    if (d->contacts!=1||d->rows!=1) return LIA_IMPACT_BUDGET;
    o->P[0]=-(1+e)*d->b[0]/d->W[0]; o->u[0]=-e*d->b[0];
    o->work[0]=0.5*(o->u[0]+d->b[0])*o->P[0]; o->lost=-o->work[0];
    return LIA_IMPACT_SOLVED;
}

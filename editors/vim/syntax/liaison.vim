" Vim syntax of models of liaison; the lists of words are made by scripts/editors.
if exists("b:current_syntax")
  finish
endif
syntax iskeyword @,48-57,_,192-255

syntax match liaisonComment "#.*$" contains=@Spell
syntax region liaisonText start=+"+ end=+"+ oneline
syntax match liaisonNumber "\<\d\+\(\.\d\+\)\?\([eE][-+]\?\d\+\)\?\>"
syntax match liaisonNumber "\.\d\+\([eE][-+]\?\d\+\)\?\>"
syntax match liaisonPrime "'"
syntax match liaisonOperator "[-+*/^=<>~]\|\.\."
syntax keyword liaisonConstant t pi energy ground
syntax keyword liaisonWord by force chetaev on at in rising falling stop and or not samples tolerance every step most free mass inertia position attitude
syntax keyword liaisonManifold line circle space sphere rotation
syntax match liaisonStatement "^\(model\|parameter\|let\|function\|coordinate\|phase\|bracket\|control\|lagrangian\|kinetic\|potential\|hamiltonian\|force\|dissipation\|constraint\|operator\|symmetry\|event\|observe\|start\|run\|plot\|body\|gravity\|contact\|impact\|joint\|moment\|draw\)\>"
syntax match liaisonFunction "\<\(sqrt\|exp\|log\|sin\|cos\|tan\|asin\|acos\|atan\|atan2\|sinh\|cosh\|tanh\|abs\|sign\|min\|max\|hypot\|wrap\|dot\|cross\|norm\|unit\|transpose\|diag\|rotx\|roty\|rotz\|d\|virtual\|sum\|if\|force\|power\|work\|reaction\|moment\|momentum\|p\|quaternion\|euler\|omega\|Omega\|velocity\|point\|axis\|linear_momentum\|angular_momentum\|resultant\|resultant_moment\|center_of_mass\|total_mass\|place\|normal\|slip\|pivot\)\ze("

highlight default link liaisonComment Comment
highlight default link liaisonText String
highlight default link liaisonNumber Number
highlight default link liaisonPrime Special
highlight default link liaisonOperator Operator
highlight default link liaisonConstant Constant
highlight default link liaisonWord Keyword
highlight default link liaisonManifold Type
highlight default link liaisonStatement Statement
highlight default link liaisonFunction Function
let b:current_syntax = "liaison"

"""Mechanical systems in which somebody acts on the constraints.

    import liaison as lia

    model = lia.Model("skater.lia", m=2.0)
    result = model.run()
    result["x"]                  # a numpy array, one number a sample
    result.force["blade"]        # the force of a constraint
    result.work["twist"]         # what an operator did since the start
    print(result)                # the summary

Everything is computed by the C library of liaison, which is loaded when the package is imported;
`LIAISON_LIBRARY` names another file of it.
"""
from ._library import library_path, version
from .errors import Diagnostic, LiaisonError, LiaisonWarning
from .evaluation import Evaluation
from .model import Model
from .result import Event, Result
from .run import Run

__all__ = [
    "Diagnostic",
    "Evaluation",
    "Event",
    "LiaisonError",
    "LiaisonWarning",
    "Model",
    "Result",
    "Run",
    "library_path",
    "version",
]
__version__ = version()

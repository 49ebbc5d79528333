"""The notebooks of the package are executed from the first cell to the last, where Jupyter is."""
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

FOLDER = Path(__file__).resolve().parents[2] / "python" / "notebooks"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(path, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:  # outputs are made, not kept
        assert cell.cell_type != "code" or not cell.outputs
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    kinds = {kind for output in shown for kind in output.get("data", {})}
    assert "text/html" in kinds  # equations of the model
    assert "image/png" in kinds  # a plot
    assert not [output for output in shown if output.output_type == "error"]


def test_there_are_notebooks():
    assert len(list(FOLDER.glob("*.ipynb"))) >= 2

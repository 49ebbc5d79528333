"""The Python package: the same numbers as the program, errors with their place, laws that hold."""
import json
import os
import subprocess
from pathlib import Path

import liaison as lia
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
SKATER = ROOT / "examples" / "skater" / "skater.lia"
PROGRAM = os.environ.get("LIAISON")


@pytest.fixture(scope="module")
def skater():
    return lia.Model(SKATER).run()


@pytest.mark.skipif(not PROGRAM, reason="no program")
def test_the_numbers_are_those_of_the_program(skater):
    said = subprocess.run([PROGRAM, "run", SKATER, "--json"], capture_output=True, check=True)
    theirs = json.loads(said.stdout)
    for key in ("state", "force", "power", "work", "residual", "balance", "steps"):
        assert skater.data[key] == theirs[key]
    assert skater.state["x"] == theirs["state"]["x"]


def test_columns_are_arrays_and_keep_the_constraint(skater):
    assert len(skater.t) == len(skater) == 1001
    x, y, angle = (skater[name] for name in ("x'", "y'", "theta"))
    assert np.max(np.abs(x * np.sin(angle) - y * np.cos(angle))) < 1e-12
    assert "x" in skater and "nothing" not in skater
    with pytest.raises(KeyError, match="there are: t, x"):
        skater["nothing"]
    with pytest.raises(ValueError):
        skater["x"][0] = 1.0


def test_forces_powers_and_works_belong_together(skater):
    assert set(skater.force) >= {"blade", "twist"}
    power, h = skater.power["twist"], skater.t[1] - skater.t[0]
    simpson = h / 3 * np.cumsum(power[:-2:2] + 4 * power[1:-1:2] + power[2::2])
    work = skater.work["twist"]
    assert work[0] == 0.0
    np.testing.assert_allclose(work[2::2], simpson, atol=1e-6)
    assert skater.power["blade"] == pytest.approx(0.0, abs=1e-12)
    assert skater.final("work(twist)") == work[-1]
    assert set(skater.work) == {"blade", "twist"}


def test_parameters_are_keywords():
    slow, fast = (lia.Model("parameter k = 1\ncoordinate x : line\nkinetic x'^2/2\npotential k*x^2/2\n"
                            "start x = 1\nrun t = 0..1\n", k=k).run() for k in (1.0, 4.0))
    assert slow.state["x"] == pytest.approx(np.cos(1.0), abs=1e-12)
    assert fast.state["x"] == pytest.approx(np.cos(2.0), abs=1e-12)


def test_a_wrong_model_is_an_exception_that_shows_the_place():
    with pytest.raises(lia.LiaisonError) as error:
        lia.Model("coordinate x : line\nkinetic x'^2*foo\n")
    (diagnostic,) = error.value.diagnostics
    assert (diagnostic.code, diagnostic.line, diagnostic.column) == ("E0120", 2, 14)
    assert "kinetic x'^2*foo" in str(error.value) and "^~~" in str(error.value)
    with pytest.raises(FileNotFoundError):
        lia.Model("nowhere.lia")


def test_a_motion_that_cannot_go_on_says_why_and_keeps_what_it_reached():
    model = lia.Model("coordinate x : line\nkinetic x'^2/2\npotential -1/x\nstart x = 1\nrun t = 0..5\n")
    with pytest.raises(lia.LiaisonError, match="E04") as error:
        model.run()
    assert error.value.result.t[-1] < 5
    assert model.run(strict=False).status == "failed"


def test_a_start_from_names_and_from_an_earlier_result():
    model = lia.Model("coordinate x : line\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\nrun t = 0..1\n")
    half = model.run(0.5)
    rest = model.run(1.0, start=half)
    assert rest.t[0] == 0.5
    assert rest.state["x"] == pytest.approx(np.cos(1.0), abs=1e-12)
    other = model.run(np.pi, start={"t": 0.0, "x": 0.0, "x'": 2.0})
    assert other.state["x'"] == pytest.approx(-2.0, abs=1e-12)
    with pytest.raises(lia.LiaisonError):
        model.run(start={"nothing": 1.0})


def test_events_come_in_order():
    model = lia.Model("coordinate x : line\nkinetic x'^2/2\npotential x^2/2\nevent zero: x = 0\n"
                      "start x = 1\nrun t = 0..7\n")
    times = [event.t for event in model.run().events]
    assert times == pytest.approx([np.pi / 2, 3 * np.pi / 2], abs=1e-12)


def test_results_can_be_saved_and_shown(skater, tmp_path):
    path = tmp_path / "skater.csv"
    skater.save(path)
    table = np.genfromtxt(path, delimiter=",", names=True, deletechars="")
    assert table["x"][-1] == skater["x"][-1]
    assert "skater" in str(skater) and "<" in skater._repr_html_()
    assert all(picture.startswith("<") for picture in skater.plots())
    shown = skater.model._repr_markdown_()
    assert r"\sin(\theta)" in shown and "documentclass" not in shown


def test_a_model_shows_its_equations(skater):
    shown = skater.model._repr_html_()
    assert "<h3>skater: Skater with a twisting torso</h3>" in shown
    assert "<h4>Equations of motion</h4>" in shown and r"\mu_{\mathrm{blade}}" in shown
    assert shown.count("<ul>") == shown.count("</ul>") and shown.count("<li>") == shown.count("</li>")
    assert shown.count("$") % 2 == 0 and "**" not in shown and "\n#" not in shown


def test_columns_are_plotted(skater):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = skater.plot("x", "force(blade)")
    lines = axes.get_lines()
    assert [line.get_label() for line in lines] == ["x", "force(blade)"]
    assert axes.get_xlabel() == "t" and axes.get_legend() is not None
    np.testing.assert_array_equal(lines[0].get_xdata(), skater.t)
    np.testing.assert_array_equal(lines[1].get_ydata(), skater.force["blade"])
    again = skater.plot(axes=axes)  # all positions, into the same picture
    assert again is axes and len(axes.get_lines()) == 2 + len(skater.model.coordinates)
    matplotlib.pyplot.close(axes.figure)


def test_plot_lines_of_the_model_are_svg(skater):
    plots = skater.plots()
    assert plots and all(plot.lstrip().startswith("<svg") or "<svg" in plot for plot in plots)


def test_what_a_system_is():
    facts = lia.Model(SKATER).explain("json")
    assert facts["dimension"]["M"] == 4
    assert "blade" in lia.Model(SKATER).explain()


def test_the_state_at_any_time():
    model = lia.Model("coordinate x : line\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\nrun t = 0..9\n")
    result = model.run(samples=3)
    for t in (0.0, 0.123, 4.56, 9.0):
        there = result.at(t)
        assert there["x"] == pytest.approx(np.cos(t), abs=1e-11)
        assert there["x'"] == pytest.approx(-np.sin(t), abs=1e-11)
    times = np.linspace(0.0, 9.0, 12).reshape(3, 4)
    there = result.at(times)
    assert there["x"].shape == (3, 4)
    np.testing.assert_allclose(there["x"], np.cos(times), atol=1e-11)
    np.testing.assert_allclose(there["x'"], -np.sin(times), atol=1e-11)
    for t in (10.0, [1.0, 10.0]):
        with pytest.raises(ValueError, match="outside"):
            result.at(t)


def test_a_constraint_of_several_equations_has_a_row_for_each():
    model = lia.Model("coordinate x, y : line\nkinetic (x'^2 + y'^2)/2\nforce push: 2*d(x) + t*d(y)\n"
                      "coordinate u[i = 1..2], w[i = 1..2] : line\nkinetic sum(i = 1..2, u[i]'^2 + w[i]'^2)\n"
                      "constraint pin: [x, y] = [0, 0]\n"
                      "constraint pins[i = 1..2]: [u[i], w[i]] = [0, 0]\nforce f: 3*d(u[2])\nrun t = 0..1\n")
    result = model.run()
    assert list(result.force) == ["pin", "pins[1]", "pins[2]"]
    np.testing.assert_allclose(result.force["pin"], [0 * result.t - 2, -result.t], atol=1e-13)
    np.testing.assert_allclose(result.force["pins[2]"][0], -3, atol=1e-13)
    assert result.power["pin"].shape == result.t.shape
    with pytest.raises(KeyError, match="there are: pin, "):
        result.force["pins"]


def test_the_events_of_a_run_that_steps_come_with_their_kind():
    model = lia.Model("coordinate z : line\nkinetic z'^2/2\npotential 9.81*z\n"
                      "contact floor: z >= 0 restitution 0.5\nevent low: z = 0.5 falling\n"
                      "start z = 1\nrun t = 0..1\n")
    run = model.start(1.0)
    events = []
    while run.step():
        events += run.events()
    events += run.events()
    named = [(event.name, event.data["kind"]) for event in events[:2]]
    assert named == [("low", "user"), ("floor", "impact")]
    fall = np.sqrt(2 / 9.81)
    assert [event.t for event in events[:2]] == pytest.approx([np.sqrt(1 / 9.81), fall], abs=1e-12)
    assert events[0].data["index"] == 0 and "index" not in events[1].data
    assert events[1].data["impulse"] == pytest.approx([1.5 * 9.81 * fall], abs=1e-11)
    assert events[1].data["energy"] == pytest.approx(-0.75 * 9.81, abs=1e-10)


def test_the_equations_at_a_state(skater):
    model = skater.model
    names = model.coordinates
    q = [skater[name][500] for name in names]
    v = [skater[name + "'"][500] for name in names]
    e = model.evaluate(q, v, skater.t[500])
    assert e.solution == "unique" and e.M.shape == (4, 4) and e.J.shape == e.Omega.shape
    assert e.M @ e.a + e.h == pytest.approx(e.Q + e.Omega.T @ e.mu, abs=1e-10)
    assert e.J @ e.a + e.gamma == pytest.approx(0.0, abs=1e-10)
    assert e.mu[0] == pytest.approx(skater.force["blade"][500], rel=1e-9)
    with pytest.raises(ValueError, match="theta"):
        model.evaluate([0.0], [0.0])


def test_parameters_are_set_without_reading_again():
    model = lia.Model("parameter k = 1\ncoordinate x : line\nkinetic x'^2/2\npotential k*x^2/2\n"
                      "start x = 1\nrun t = 0..1\n")
    for k in (1.0, 4.0, 9.0):
        assert model.set(k=k).run().state["x"] == pytest.approx(np.cos(np.sqrt(k)), abs=1e-12)
    assert model.run().state["x"] == pytest.approx(np.cos(1.0), abs=1e-12)


def test_a_run_that_steps_with_a_control_from_outside():
    model = lia.Model("coordinate x : line\ncontrol u\nkinetic x'^2/2\nforce f: u*d(x)\n"
                      "start x = 1\nrun t = 0..1\n")
    run = model.start(every=0.1)
    x, v = 1.0, 0.0
    for k in range(100):  # the same by hand: a force that is held for a tenth of a second
        q, rate = run.state()
        u = -2.0 * q[0] - 1.5 * rate[0]
        run.control("u", u, until=0.1 * (k + 1))
        assert run.advance(0.1 * (k + 1))
        h = 0.1 * (k + 1) - 0.1 * k
        x, v = x + v * h + u * h * h / 2, v + u * h
    q, rate = run.state()
    assert q[0] == pytest.approx(x, abs=1e-10) and rate[0] == pytest.approx(v, abs=1e-10)
    assert abs(q[0]) < 1e-3
    result = run.finish()
    assert result.state["x"] == q[0]
    assert len(result) == 101 and result.t[-1] == pytest.approx(10.0)


def test_a_run_is_saved_and_restored_to_the_last_bit():
    model = lia.Model(SKATER)
    run = model.start(10.0)
    run.advance(3.0)
    saved = run.save()
    run.advance(7.0)
    there = run.state()
    run.restore(saved)
    assert run.t == 3.0
    run.advance(7.0)
    assert all(np.array_equal(a, b) for a, b in zip(there, run.state()))

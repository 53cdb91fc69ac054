// The slider: precision, recall and coverage at a threshold, and its place on the curves.
if (report.sweeps.length) {
  const SIZE = 300;
  const by = (id) => document.getElementById(id);
  const slider = by("threshold"), choice = by("sweep");
  const across = (perMille) => (SIZE * perMille) / 1000;
  const percent = (part, whole) => (whole ? `${((100 * part) / whole).toFixed(1)}\u00a0%` : "undefined");
  const shown = (threshold) => `${Number((100 * threshold).toFixed(2))}\u00a0%`;

  const path = (points) => {
    let drawn = "";
    for (let at = 0; at < points.length; at += 2) {
      drawn += `${at ? "L" : "M"}${across(points[at])} ${SIZE - across(points[at + 1])}`;
    }
    return drawn;
  };
  const move = (id, x, y) => {
    const dot = by(id).querySelector(".dot");
    dot.setAttribute("cx", SIZE * x);
    dot.setAttribute("cy", SIZE * (1 - y));
  };

  const bins = (points, sizes) => {
    const dots = [];
    for (let at = 0; at < points.length; at += 2) {
      const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
      dot.setAttribute("class", "bin");
      dot.setAttribute("r", "4");
      dot.setAttribute("cx", across(points[at]));
      dot.setAttribute("cy", SIZE - across(points[at + 1]));
      dots.push(dot);
    }
    by("reliability").querySelector(".bins").replaceChildren(...dots);
    const most = Math.max(1, ...sizes);
    by("reliability").querySelectorAll(".size").forEach((bar, at) => {
      const height = ((SIZE / 5) * sizes[at]) / most;
      bar.setAttribute("height", height);
      bar.setAttribute("y", SIZE - height);
    });
  };

  const names = (id, x, y) => {
    const [below, beside] = by(id).querySelectorAll(".name");
    below.textContent = x;
    beside.textContent = y;
  };

  const draw = () => {
    const overall = choice.value === "0";
    names("roc", overall ? "wrong answers accepted, %" : "false alarms, %", overall ? "right answers accepted, %" : "found, %");
    names("reliability", "probability, %", overall ? "answers that are right, %" : "documents in the class, %");
    const sweep = report.sweeps[Number(choice.value)];
    for (const [id, points] of [["roc", sweep.roc], ["precision-recall", sweep.pr], ["reliability", sweep.bins]]) {
      by(id).querySelector(".curve").setAttribute("d", path(points));
    }
    bins(sweep.bins, sweep.sizes);
    update();
  };

  const update = () => {
    const sweep = report.sweeps[Number(choice.value)], at = Number(slider.value), threshold = report.grid[at];
    const reached = sweep.reached[at], found = sweep.found[at];
    by("threshold-shown").textContent = shown(threshold);
    slider.setAttribute("aria-valuetext", shown(threshold));
    by("precision").textContent = percent(found, reached);
    by("recall").textContent = percent(found, sweep.wanted);
    by("coverage").textContent = percent(reached, sweep.documents);
    const whole = (number) => number.toLocaleString("en");
    by("in-words").textContent = choice.value === "0"
      ? `${whole(reached)} of ${whole(sweep.documents)} documents are answered, ${whole(found)} of them rightly.`
      : `${whole(reached)} documents are given this class, ${whole(found)} of them rightly; it has ${whole(sweep.wanted)}.`;
    const others = sweep.documents - sweep.hits;
    move("roc", others ? (reached - found) / others : 0, sweep.hits ? found / sweep.hits : 0);
    move("precision-recall", sweep.wanted ? found / sweep.wanted : 0, reached ? found / reached : 1);
    const line = by("reliability").querySelector(".at");
    line.setAttribute("x1", SIZE * threshold);
    line.setAttribute("x2", SIZE * threshold);
  };

  slider.addEventListener("input", update);
  choice.addEventListener("change", draw);
  draw();
}

// The slider: precision, recall and coverage at a threshold, and its place on the curves.

import { report } from "./documents.js";
import { byId, find } from "./dom.js";
import { exactPercent, percent, thousands } from "./numbers.js";

if (report.sweeps.length) {
  const SIZE = 300;
  const slider = byId("threshold", HTMLInputElement), choice = byId("sweep", HTMLSelectElement);
  const across = (perMille) => (SIZE * perMille) / 1000;
  const share = (part, whole) => percent(whole ? part / whole : null);

  const path = (points) => {
    let drawn = "";
    for (let at = 0; at < points.length; at += 2) {
      drawn += `${at ? "L" : "M"}${across(points[at])} ${SIZE - across(points[at + 1])}`;
    }
    return drawn;
  };
  const put = (drawn, attributes) => {
    for (const [name, value] of Object.entries(attributes)) drawn.setAttribute(name, String(value));
    return drawn;
  };
  const move = (id, x, y) => put(find(byId(id), ".dot"), { cx: SIZE * x, cy: SIZE * (1 - y) });

  const bins = (points, sizes) => {
    const dots = [];
    for (let at = 0; at < points.length; at += 2) {
      const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
      dots.push(put(dot, { class: "bin", r: 4, cx: across(points[at]), cy: SIZE - across(points[at + 1]) }));
    }
    find(byId("reliability"), ".bins").replaceChildren(...dots);
    const most = Math.max(1, ...sizes);
    byId("reliability").querySelectorAll(".size").forEach((bar, at) => {
      const height = ((SIZE / 5) * sizes[at]) / most;
      put(bar, { height, y: SIZE - height });
    });
  };

  const names = (id, x, y) => {
    const [below, beside] = byId(id).querySelectorAll(".name");
    below.textContent = x;
    beside.textContent = y;
  };

  const draw = () => {
    const overall = choice.value === "0";
    const of = overall ? ", mean of the classes, %" : ", %";
    names("roc", `false alarms${of}`, `found${of}`);
    names("precision-recall", `recall${of}`, `precision${of}`);
    for (const id of ["roc", "precision-recall"]) {
      put(find(byId(id), ".dot"), { visibility: overall ? "hidden" : "visible" }); // a mean has no thresholds
    }
    names("reliability", "probability, %", overall ? "answers that are right, %" : "documents in the class, %");
    const sweep = report.sweeps[Number(choice.value)];
    for (const [id, points] of [["roc", sweep.roc], ["precision-recall", sweep.pr], ["reliability", sweep.bins]]) {
      put(find(byId(id), ".curve"), { d: path(points) });
    }
    bins(sweep.bins, sweep.sizes);
    update();
  };

  const update = () => {
    const sweep = report.sweeps[Number(choice.value)], at = Number(slider.value), threshold = report.grid[at];
    const reached = sweep.reached[at], found = sweep.found[at];
    byId("threshold-shown").textContent = exactPercent(threshold);
    slider.setAttribute("aria-valuetext", exactPercent(threshold));
    byId("precision").textContent = share(found, reached);
    byId("recall").textContent = share(found, sweep.wanted);
    byId("coverage").textContent = share(reached, sweep.documents);
    const overall = choice.value === "0";
    const given = overall ? `of ${thousands(sweep.documents)} documents are answered` : "documents are given this class";
    const wanted = overall ? "" : `; it has ${thousands(sweep.wanted)}`;
    byId("in-words").textContent = `${thousands(reached)} ${given}, ${thousands(found)} of them rightly${wanted}.`;
    const others = sweep.documents - sweep.hits;
    move("roc", others ? (reached - found) / others : 0, sweep.hits ? found / sweep.hits : 0);
    move("precision-recall", sweep.wanted ? found / sweep.wanted : 0, reached ? found / reached : 1);
    put(find(byId("reliability"), ".at"), { x1: SIZE * threshold, x2: SIZE * threshold });
  };

  slider.addEventListener("input", update);
  choice.addEventListener("change", draw);
  draw();
}

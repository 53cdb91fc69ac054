// The page: three tabs, which know each other only by the model they ask about.

import { byId, placeAfter } from "./dom.js";
import * as look from "./look.js";
import { attempt, onChange, refresh } from "./state.js";
import * as teach from "./teach.js";
import * as trying from "./try.js";

const TABS = ["try", "teach", "look"];

function select(name, focuses = false) {
  for (const each of TABS) {
    const tab = byId(`tab-${each}`);
    tab.ariaSelected = String(each === name);
    tab.tabIndex = each === name ? 0 : -1;
    byId(each).hidden = each !== name;
    if (each === name && focuses) tab.focus();
  }
  if (location.hash !== `#${name}`) history.replaceState(null, "", `#${name}`);
  if (name === "look") lookPart.open();
  if (name === "teach") teachPart.open();
  reach();
}

/** Arrows move between tabs, as readers of screens expect. */
function moved(event) {
  const at = TABS.findIndex((name) => byId(`tab-${name}`).ariaSelected === "true");
  const to = placeAfter(event, at, TABS.length);
  if (to === undefined) return;
  event.preventDefault();
  select(TABS[to], true);
}

/** A part in which nothing can be reached with the Tab key is reached itself, so that it can be read and scrolled. */
function reach() {
  for (const part of TABS.map((name) => byId(name))) {
    const stops = [...part.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")];
    if (stops.some((each) => each.checkVisibility())) part.removeAttribute("tabindex");
    else part.tabIndex = 0;
  }
}

const tryPart = trying.start();
const teachPart = teach.start();
const lookPart = look.start();
for (const name of TABS) {
  byId(`tab-${name}`).addEventListener("click", () => select(name));
  byId(`tab-${name}`).addEventListener("keydown", moved);
}
const inAddress = () => TABS.find((name) => location.hash === `#${name}`);
window.addEventListener("hashchange", () => inAddress() && select(inAddress()));
onChange(reach);
select(inAddress() ?? "try");
if (await attempt(refresh)) await tryPart.ask();
else byId("subtitle").textContent = "The server cannot be reached now.";
document.body.dataset.ready = "true";

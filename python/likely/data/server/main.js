// The page: three tabs, which know each other only by the model they ask about.

import { byId } from "./dom.js";
import * as look from "./look.js";
import { attempt, refresh } from "./state.js";
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
}

/** Arrows move between tabs, as readers of screens expect. */
function moved(event) {
  const at = TABS.findIndex((name) => byId(`tab-${name}`).ariaSelected === "true");
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  select(TABS[(to + TABS.length) % TABS.length], true);
}

const tryPart = trying.start();
const teachPart = teach.start();
const lookPart = look.start();
for (const name of TABS) {
  byId(`tab-${name}`).addEventListener("click", () => select(name));
  byId(`tab-${name}`).addEventListener("keydown", moved);
}
const named = () => TABS.find((name) => location.hash === `#${name}`);
window.addEventListener("hashchange", () => named() && select(named()));
select(named() ?? "try");
if (await attempt(refresh)) await tryPart.ask();
else byId("subtitle").textContent = "The server cannot be asked now.";
document.body.dataset.ready = "true";

// A classifier that `likely` has trained, in plain JavaScript: no dependencies, no network.

export { Classifier } from "./classifier.js";
export { stretches } from "./highlight.js";

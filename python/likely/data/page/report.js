// The scripts of a report.

import "./table.js";
import "./matrix.js";
import "./threshold.js";
import "./print.js";

// Numbers as people read them. Python writes the same (python/likely/terminal.py, `percent` in python/likely/report/render.py).

/** The digits of a number up to a place behind the point: like Python, the exact middle of two goes to the even digit. */
function even(exact, decimals, rounded) {
  const point = exact.indexOf(".");
  const kept = exact.slice(0, point + (decimals ? decimals + 1 : 0));
  return /^\.?50*$/u.test(exact.slice(kept.length)) && /[02468]$/u.test(kept) ? kept : rounded;
}

const fixed = (value, decimals) => even(value.toFixed(100), decimals, value.toFixed(decimals));

/** A share in percent: rounded to 0 or 100 only if it is exactly that; null is no share. */
export function percent(share, decimals = 1) {
  if (share === null) return "undefined";
  let shown = fixed(100 * share, decimals);
  if (Number(shown) === 0 || Number(shown) === 100) {
    const step = 10 ** -decimals;
    if (share === 0 || share === 1) shown = String(100 * share);
    else shown = share > 0.5 ? `>\u00a0${fixed(100 - step, decimals)}` : `<\u00a0${fixed(step, decimals)}`;
  }
  return `${shown}%`;
}

/** A share in percent with up to four decimals, where one would round it to 0 or 100. */
export function exactPercent(share) {
  const found = [1, 2, 3, 4].map((decimals) => percent(share, decimals));
  return found.find((text) => !/^[<>]/u.test(text)) ?? found[3];
}

/** A number with so many digits that count. */
export function number(value, digits = 4) {
  const [exact] = value.toExponential(100).split("e");
  const [mantissa, power] = value.toExponential(digits - 1).split("e");
  const place = Number(power);
  const isPlain = place >= -4 && place < digits;
  const shown = isPlain ? fixed(value, digits - 1 - place) : even(exact, digits - 1, mantissa);
  const short = shown.includes(".") ? shown.replace(/\.?0+$/u, "") : shown;
  return isPlain ? short : `${short}e${power[0]}${power.slice(1).padStart(2, "0")}`;
}

/** What was counted, its thousands apart; weights make it a fraction, of which six digits are shown. */
export function thousands(value) {
  if (Number.isInteger(value) || Math.abs(value) >= 1e6) return Number(fixed(value, 0)).toLocaleString("en");
  return number(value, 6).replace(/^\d+/u, (whole) => Number(whole).toLocaleString("en"));
}

/** A number with the noun that it counts. */
export function counted(value, one, many = `${one}s`) {
  return `${thousands(value)} ${value === 1 ? one : many}`;
}

/** By how much a term multiplies the odds of a class against another, from the logarithm; "" if the other is impossible. */
export function times(logRatio) {
  if (!Number.isFinite(logRatio)) return "";
  const ratio = Number(Math.exp(Math.min(Math.abs(logRatio), Math.log(1e6))).toFixed(9)); // a tie is one on every page
  if (ratio >= 1e6 * 0.9995) return "x1,000,000 or more";
  if (ratio < 1.05) return `x${fixed(ratio, ratio < 1.005 ? 4 : 2)}`;
  return `x${ratio >= 9.95 ? thousands(Math.round(ratio)) : fixed(ratio, 1).replace(/\.0$/u, "")}`;
}

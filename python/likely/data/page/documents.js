// The data of the page, and documents with highlighted words. Texts become text nodes, never markup.
const report = JSON.parse(document.getElementById("report-data").textContent);

const element = (name, kind, ...children) => {
  const made = document.createElement(name);
  if (kind) made.className = kind;
  made.append(...children);
  return made;
};

// A piece of text with its shade: above 0 it speaks for the predicted class, below 0 for the other one.
const marked = (text, shade) =>
  shade === 0 ? text : element("mark", (shade > 0 ? "p" : "c") + Math.abs(shade), text);

const highlighted = (pieces) => {
  const parts = [];
  for (let at = 0; at < pieces.length; at += 2) parts.push(marked(pieces[at], pieces[at + 1]));
  return element("bdi", "text", ...parts);
};

// Tables whose headings sort their rows. Undefined values come last, in both directions.
{
  const value = (row, column) => {
    const raw = row.cells[column].dataset.value;
    return raw === "" ? null : Number(raw);
  };

  const compare = (a, b, column, sign) => {
    const left = value(a, column), right = value(b, column);
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * (left - right);
  };

  const sort = (table, heading) => {
    const headings = [...heading.parentElement.cells], column = headings.indexOf(heading);
    const turned = heading.getAttribute("aria-sort");
    // Names start at the top of the alphabet, numbers with the largest.
    const direction = turned === "none" ? (column === 0 ? "ascending" : "descending")
      : turned === "ascending" ? "descending" : "ascending";
    headings.forEach((each) => each.setAttribute("aria-sort", each === heading ? direction : "none"));
    const body = table.tBodies[0];
    const rows = [...body.rows].sort((a, b) => compare(a, b, column, direction === "ascending" ? 1 : -1));
    body.append(...rows);
  };

  for (const button of document.querySelectorAll(".sortable thead button")) {
    button.addEventListener("click", () => sort(button.closest("table"), button.closest("th")));
  }
}

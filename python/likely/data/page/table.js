// Tables whose headings sort their rows. Undefined values come last, in both directions.
{
  const compare = (a, b, column, sign) => {
    const [left, right] = [a, b].map((row) => row.cells[column].dataset.value);
    return left === "" || right === "" ? Number(left === "") - Number(right === "") : sign * (left - right);
  };

  const sort = (table, heading) => {
    const headings = [...heading.parentElement.cells], column = headings.indexOf(heading);
    const turned = heading.getAttribute("aria-sort");
    // Names start at the top of the alphabet, numbers with the largest.
    const direction = turned === "none" ? (column === 0 ? "ascending" : "descending")
      : turned === "ascending" ? "descending" : "ascending";
    headings.forEach((each) => each.setAttribute("aria-sort", each === heading ? direction : "none"));
    const [body] = table.tBodies;
    body.append(...[...body.rows].sort((a, b) => compare(a, b, column, direction === "ascending" ? 1 : -1)));
  };

  for (const button of document.querySelectorAll(".sortable thead button")) {
    button.addEventListener("click", () => sort(button.closest("table"), button.closest("th")));
  }
}

"use strict";
// Tables of a page: a click on a column sorts by it, a field above a long one shows the rows that hold its words.
const LONG = 12;
const value = (row, i) => row.cells[i].dataset.value === undefined ? row.cells[i].textContent : Number(row.cells[i].dataset.value);
const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, {numeric: true});
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  if (!table.tHead || body.rows.length < 2) continue;
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, i) => {
    const sort = () => {
      const turn = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", turn > 0 ? "ascending" : "descending");
      body.append(...[...body.rows].sort((a, b) => turn * compare(value(a, i), value(b, i))));
    };
    head.classList.add("sortable");
    head.tabIndex = 0;
    head.addEventListener("click", sort);
    head.addEventListener("keydown", event => { if (event.key === "Enter") sort(); });
  });
  if (body.rows.length < LONG) continue;
  const field = Object.assign(document.createElement("input"), {type: "search", className: "filter", placeholder: "Show rows with ..."});
  field.setAttribute("aria-label", "Show rows with these words");
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of body.rows) row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
  });
  table.parentElement.before(field);
}

// Sorting, filtering and the choice of theme. The page is whole without it: controls appear only when this runs.
"use strict";
(function () {
  const say = document.getElementById("say");

  // The order is the reader's: numbers by data-v, absent ones last, equal ones as they came.
  function sortBy(table, column, ascending) {
    const body = table.tBodies[0];
    const rows = Array.from(body.rows);
    rows.forEach((row, index) => { if (row.dataset.at === undefined) row.dataset.at = String(index); });
    const numeric = table.tHead.rows[0].cells[column].classList.contains("n");
    const keys = new Map(rows.map((row) => {
      const cell = row.cells[column];
      return [row, numeric ? parseFloat(cell.dataset.v) : cell.textContent.toLowerCase()];
    }));
    rows.sort((a, b) => {
      const x = keys.get(a), y = keys.get(b);
      if (numeric && (isNaN(x) || isNaN(y))) return isNaN(x) - isNaN(y) || a.dataset.at - b.dataset.at;
      const order = x < y ? -1 : x > y ? 1 : 0;
      return (ascending ? order : -order) || a.dataset.at - b.dataset.at;
    });
    body.append(...rows);
  }

  document.querySelectorAll("thead button").forEach((button) => {
    button.addEventListener("click", () => {
      const head = button.closest("th");
      const was = head.getAttribute("aria-sort");
      // What is largest is asked for first; names are asked for from A.
      const ascending = was === "none" ? !head.classList.contains("n") : was === "descending";
      for (const other of head.parentNode.cells) if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      sortBy(button.closest("table"), head.cellIndex, ascending);
      say.textContent = "Sorted by " + button.textContent + ", " + head.getAttribute("aria-sort");
    });
  });

  document.querySelectorAll(".tools").forEach((tools) => {
    tools.hidden = false;
    const table = document.getElementById(tools.dataset.table);
    const search = tools.querySelector("input[type=search]");
    const count = tools.querySelector("output");
    const whole = tools.querySelector("input[type=checkbox]");
    if (search) {
      const texts = new Map();
      search.addEventListener("input", () => {
        const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
        let shown = 0;
        for (const row of table.tBodies[0].rows) {
          if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
          const match = words.every((word) => texts.get(row).includes(word));
          row.hidden = !match;
          shown += match;
        }
        count.textContent = shown + " of " + table.tBodies[0].rows.length + " rows";
      });
    }
    if (whole) whole.addEventListener("change", () => table.classList.toggle("whole", whole.checked));
  });

  const theme = document.querySelector(".theme");
  const choices = ["auto", "light", "dark"];
  let chosen = 0;
  theme.hidden = false;
  theme.addEventListener("click", () => {
    chosen = (chosen + 1) % choices.length;
    if (chosen === 0) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = choices[chosen];
    theme.textContent = "Theme: " + choices[chosen];
  });
})();

"use strict";
// A page of an extension: tables of texts.

function tables(data) {
  setText($("name"), data.name);
  document.title = data.name + " – Fibry observer";
  setText($("subtitle"), "Fibry observer · " + new Date().toLocaleTimeString());
  $("problem").hidden = !data.problem;
  setText($("problem").lastElementChild, data.problem || "");
  if (!data.problem) keyed($("tables"), numbered(data.tables), keyOfTable, makeTable, updateTable);
  $("more").hidden = data.moreTables === 0;
  setText($("more"), number(data.moreTables) + " more tables");
}

/** Titles and rows may be equal, so they are known by their places. */
function numbered(items) {
  return items.map((item, place) => ({...item, place}));
}

/** A table whose columns change is made anew. */
function keyOfTable(table) {
  return [table.place, table.title, ...table.columns].join("\n");
}

function makeTable({place, title, columns}) {
  const panel = element("section", "panel"), head = element("h2", "", title), scroll = element("div", "scroll");
  const table = element("table", "texts"), row = element("tr");
  head.id = "table-" + place;
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-labelledby", head.id);
  for (const column of columns) {
    const cell = element("th", "", column);
    cell.scope = "col";
    row.append(cell);
  }
  table.createTHead().append(row);
  scroll.append(table);
  panel.append(head, scroll, element("p", "empty", "None."), element("p", "note"));
  panel.parts = [table.createTBody(), panel.lastChild];
  return panel;
}

function updateTable(panel, {columns, rows, moreRows}) {
  const [body, more] = panel.parts;
  keyed(body, numbered(rows), row => String(row.place), () => {
    const made = element("tr");
    made.append(...columns.map(() => element("td")));
    return made;
  }, (made, row) => {
    made.className = row.alert ? "alarm" : "";
    row.cells.forEach((text, i) => setText(made.children[i], text));
  });
  more.hidden = moreRows === 0;
  setText(more, number(moreRows) + " more rows");
}

live(location.pathname + "/events", {tables});

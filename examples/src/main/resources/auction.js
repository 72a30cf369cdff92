"use strict";

const rows = new Map();
const answer = document.getElementById("answer");

function cell(row, className) {
  const td = row.insertCell();
  td.className = className;
  return td;
}

/** A row has the name, the price, the bidder, and a form. All texts are set as text, never as HTML. */
function newRow(lot) {
  const tr = document.getElementById("lots").insertRow();
  tr.dataset.lot = lot;
  cell(tr, "lot").textContent = lot;
  const row = { tr, price: cell(tr, "price"), bidder: cell(tr, "bidder"), form: document.createElement("form") };
  const amount = document.createElement("input");
  amount.type = "number";
  amount.min = "1";
  amount.required = true;
  amount.setAttribute("aria-label", "Your bid for " + lot);
  const button = document.createElement("button");
  button.textContent = "Bid";
  row.form.append(amount, " ", button);
  row.form.addEventListener("submit", event => {
    event.preventDefault();
    bid(lot, amount.value);
  });
  cell(tr, "form").append(row.form);
  return row;
}

async function bid(lot, amount) {
  const bidder = document.getElementById("bidder").value;
  const query = new URLSearchParams({ bidder, amount });
  const reply = await fetch("/lots/" + encodeURIComponent(lot) + "/bids?" + query, { method: "POST" });
  answer.textContent = lot + ", " + amount + ": " + await reply.text();
}

new EventSource("/sales").onmessage = event => {
  const sale = JSON.parse(event.data);
  if (!rows.has(sale.lot)) {
    rows.set(sale.lot, newRow(sale.lot));
  }
  const row = rows.get(sale.lot);
  row.price.textContent = sale.price;
  row.bidder.textContent = sale.bidder || "–";
  row.tr.className = sale.closed ? "closed" : "";
  row.form.hidden = sale.closed;
};

"use strict";
// The list of all actors. The server sorts, searches and returns one page at a time.

const COLUMNS = {
  mailbox: number, rate: number, handled: number, time: value => value === null ? "–" : seconds(value),
  restarts: number, stashed: number
};
const TEXTS = ["name", "behavior"];
const wanted = {sort: "mailbox", order: "desc", search: "", parent: ""};

/** The page: behind a position, before one, or at the end of the list. Empty for the first page. */
let place = {};
/** The page that is shown. */
let shown = null;
let timer = 0;
let request = null;
let typing = 0;

function stopList() {
  clearTimeout(timer);
  if (request) request.abort();
  request = null;
}

/** Loads the page, and loads it again after the pause that the server asks for. */
async function load() {
  stopList();
  const mine = new AbortController();
  request = mine;
  let pause = 2000;
  let again = true;
  try {
    const query = new URLSearchParams([...Object.entries(wanted), ...Object.entries(place)].filter(([, value]) => value));
    const answer = await fetch("/list.json?" + query, {signal: mine.signal});
    if (answer.ok) {
      const data = await answer.json();
      if (move(data)) {
        pause = 0;
      } else {
        show(data);
        pause = data.pauseMillis;
        again = !paused;
        if (!paused) status("live", "live");
      }
    } else if (answer.status === 429) {
      pause = 1000 * (Number(answer.headers.get("Retry-After")) || 1);
    } else {
      problem(await answer.text());
      again = false;
    }
  } catch (e) {
    if (mine.signal.aborted) return;
    status("off", "disconnected, trying again");
  }
  if (again && request === mine) timer = setTimeout(load, pause);
}

/** Shows why the server refuses the address of this page, which may have been edited. */
function problem(text) {
  setText($("problem"), text);
  $("problem").hidden = !text;
  if (text) status("off", "not loaded");
}

/** Actors come and go: a page that has become empty or begins in the middle is replaced by the first or last one. */
function move(data) {
  const empty = data.all > 0 && data.actors.length === 0;
  if (place.before && data.first === 0) {
    place = {};
  } else if (empty && place.after) {
    place = {at: "end"};
  } else {
    return false;
  }
  return true;
}

function go(to) {
  place = to;
  load();
}

function sortBy(sort) {
  wanted.order = sort === wanted.sort ? wanted.order === "asc" ? "desc" : "asc" : TEXTS.includes(sort) ? "asc" : "desc";
  wanted.sort = sort;
  choose();
}

/** Shows the first page of another list, whose address can be kept. */
function choose() {
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
  history.replaceState(null, "", "/list?" + query);
  controls();
  go({});
}

function controls() {
  $("search").value = wanted.search;
  $("sort").value = wanted.sort;
  setText($("order"), wanted.order === "asc" ? "ascending" : "descending");
  const column = wanted.sort === "behavior" ? "name" : wanted.sort;
  for (const head of $("actors").querySelectorAll("th")) {
    const sorted = head.dataset.sort === column;
    head.classList.toggle("sorted", sorted);
    if (sorted) {
      head.setAttribute("aria-sort", wanted.order === "asc" ? "ascending" : "descending");
    } else {
      head.removeAttribute("aria-sort");
    }
    for (const button of head.querySelectorAll("button")) {
      button.className = button.value === wanted.sort ? wanted.order : "";
    }
  }
}

function show(data) {
  shown = data;
  problem("");
  setText($("system"), data.system);
  document.title = data.system + " – All actors";
  setText($("subtitle"), "All actors · " + new Date().toLocaleTimeString());
  $("crumb-parent").hidden = !wanted.parent;
  if (wanted.parent) link($("parent"), {id: wanted.parent, name: data.parent || wanted.parent});
  keyed($("actors").tBodies[0], data.actors, actor => actor.id, makeListed, updateListed);
  $("none").hidden = data.actors.length > 0;
  const last = data.first + data.actors.length;
  setText($("range"), data.actors.length === 0 ? "0 of 0"
    : whole.format(data.first + 1) + "–" + whole.format(last) + " of " + whole.format(data.all));
  $("first").disabled = $("previous").disabled = data.first <= 0;
  $("next").disabled = $("last").disabled = last >= data.all;
}

const whole = new Intl.NumberFormat("en");

function makeListed() {
  const row = element("tr"), head = element("td", "actor"), who = element("a"), sub = element("span", "sub");
  const state = element("td", "state"), chips = element("span", "chip");
  head.append(who, sub);
  state.append(chips);
  row.append(head, state);
  row.parts = {head, who, sub, state, chips};
  for (const name of Object.keys(COLUMNS)) {
    row.parts[name] = element("td");
    row.append(row.parts[name]);
  }
  return row;
}

function updateListed(row, actor) {
  const {head, who, sub, state, chips} = row.parts;
  link(who, actor);
  about(sub, actor);
  if (wanted.sort === "behavior") setText(sub, shortType(actor.behavior));
  head.className = "actor " + styleOf(actor);
  head.title = hintOf(actor);
  chip(chips, actor);
  state.className = "state" + (wanted.sort === "state" ? " sorted" : "");
  for (const [name, text] of Object.entries(COLUMNS)) {
    const cell = row.parts[name];
    cell.className = "number" + (name === wanted.sort ? " sorted" : "")
      + (["handled", "restarts", "stashed"].includes(name) ? " less" : "");
    setText(cell, text(actor[name]));
    cell.title = actor[name] === null ? "" : String(actor[name]);
  }
}

for (const [name, value] of new URLSearchParams(location.search)) {
  if (Object.hasOwn(wanted, name)) wanted[name] = value;
}
$("filter").addEventListener("submit", event => event.preventDefault());
$("search").addEventListener("input", event => {
  wanted.search = event.target.value;
  clearTimeout(typing);
  typing = setTimeout(choose, 250); // a search of each letter would be a pass over all actors
});
$("sort").addEventListener("change", event => {
  if (event.target.value !== wanted.sort) sortBy(event.target.value);
});
$("order").addEventListener("click", () => sortBy(wanted.sort));
for (const button of $("actors").querySelectorAll("th button")) button.addEventListener("click", () => sortBy(button.value));
$("first").addEventListener("click", () => go({}));
$("previous").addEventListener("click", () => { if (shown && shown.start) go({before: shown.start}); });
$("next").addEventListener("click", () => { if (shown && shown.end) go({after: shown.end}); });
$("last").addEventListener("click", () => go({at: "end"}));
controls();
whileLive(load, stopList);

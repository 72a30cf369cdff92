"use strict";
// Everything from the server is shown as text: only textContent, never HTML.

const $ = id => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const STATES = {
  IDLE: "idle", READY: "ready", RUNNING: "running", WAITS_FOR_REPLY: "waits for reply", WAITS_FOR_ROOM: "waits for room",
  WAITS_FOR_EXIT: "waits for end", WAITS_FOR_PAUSE: "waits for pause", PAUSED: "paused", STOPPING: "stopping"
};
const TOTALS = [["IDLE", "idle", "idle"], ["READY", "ready", "ready"], ["RUNNING", "running", "running"],
  ["WAITING", "waiting for others", "waiting"], ["PAUSED", "paused", "paused"], ["STOPPING", "stopping", "stopping"]];
const MOST_INCIDENTS = 50;

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined && text !== null) made.textContent = text;
  return made;
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

const plain = new Intl.NumberFormat("en", {maximumFractionDigits: 1});
const compact = new Intl.NumberFormat("en", {notation: "compact", maximumFractionDigits: 2});

function number(value) {
  if (value === null || value === undefined) return "–";
  const rounded = value >= 100 ? Math.round(value) : value;
  return rounded >= 1e6 ? compact.format(rounded) : plain.format(rounded);
}

function seconds(value) {
  if (value < 1) return Math.round(value * 1000) + " ms";
  if (value < 60) return value.toFixed(1) + " s";
  if (value < 3600) return Math.floor(value / 60) + " min " + Math.floor(value % 60) + " s";
  return Math.floor(value / 3600) + " h " + Math.floor(value % 3600 / 60) + " min";
}

function pageOf(id) {
  return "/actors/" + encodeURIComponent(id);
}

function link(node, actor) {
  setText(node, actor.name);
  node.title = actor.name;
  node.setAttribute("href", pageOf(actor.id));
}

function chip(node, state) {
  node.className = "chip " + state;
  setText(node, STATES[state] || state);
}

/** Makes the children of a node those of the list; one with the same key stays, with the focus and what is open in it. */
function keyed(parent, items, keyOf, make, update) {
  const old = new Map();
  for (const child of parent.children) old.set(child.dataset.key, child);
  let at = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    let child = old.get(key);
    if (child) {
      old.delete(key);
    } else {
      child = make(item);
      child.dataset.key = key;
    }
    update(child, item);
    if (child === at) {
      at = at.nextElementSibling;
    } else {
      const focused = child.contains(document.activeElement) ? document.activeElement : null;
      parent.insertBefore(child, at);
      if (focused) focused.focus({preventScroll: true});
    }
  }
  for (const child of old.values()) child.remove();
}

// ---- tables of actors

const VALUES = {rate: number, mailboxSize: number, runningFor: seconds, restarts: number, children: number};

function table(id, actors) {
  const value = $(id).dataset.value;
  const most = Math.max(1e-9, ...actors.map(actor => actor[value]));
  keyed($(id).tBodies[0], actors, actor => actor.id, makeRow, (row, actor) => {
    const [who, sub, state, size, meter] = row.parts;
    link(who, actor);
    setText(sub, actor.waitsFor ? "waits for " + actor.waitsFor : actor.message ? "handles " + shortType(actor.message) : shortType(actor.behavior));
    sub.title = actor.behavior;
    chip(state, actor.state);
    row.firstChild.className = "actor " + actor.state;
    row.firstChild.title = STATES[actor.state] || "";
    setText(size, VALUES[value](actor[value]));
    meter.style.width = 100 * actor[value] / most + "%";
  });
}

function makeRow() {
  const row = element("tr");
  const first = element("td"), second = element("td", "state"), third = element("td", "number");
  const who = element("a"), sub = element("span", "sub"), state = element("span", "chip"), size = element("span");
  const meter = element("span", "meter"), filled = element("i");
  meter.append(filled);
  first.append(who, sub);
  second.append(state);
  third.append(size, meter);
  row.append(first, second, third);
  row.parts = [who, sub, state, size, filled];
  return row;
}

/** Without its package. */
function shortType(type) {
  return type.replace(/(?:[\p{L}\p{N}_]+\.)+(?=[\p{Lu}])/gu, "");
}

// ---- the overview

function spark(svg, values) {
  svg.setAttribute("viewBox", "0 0 100 40");
  svg.setAttribute("preserveAspectRatio", "none");
  if (!svg.firstChild) {
    for (const name of ["area", "line"]) {
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("class", name);
      svg.append(path);
    }
  }
  if (values.length < 2) return;
  const top = Math.max(1, ...values);
  const step = 100 / (values.length - 1);
  const points = values.map((value, i) => (i * step).toFixed(2) + " " + (38 - 34 * value / top).toFixed(2));
  svg.children[1].setAttribute("d", "M" + points.join("L"));
  svg.children[0].setAttribute("d", "M0 40L" + points.join("L") + "L100 40Z");
}

function big(id, value, text) {
  setText($(id), text || number(value));
  $(id).title = String(value);
}

/** The numbers of handled messages by source, for a tooltip. */
function sources({sent, timers, piped, internal}) {
  return [[sent, "sent"], [timers, "of timers"], [piped, "piped"], [internal, "internal"]]
    .filter(([count]) => count > 0).map(([count, source]) => number(count) + " " + source).join(", ");
}

function overview(data) {
  const {totals, counters, rates} = data;
  setText($("system"), data.system);
  document.title = data.system + " – Fibry observer";
  setText($("subtitle"), "Fibry observer · " + new Date(data.time).toLocaleTimeString());
  big("rate", rates ? rates.handled : "", rates ? number(rates.handled) : "–");
  big("handled", counters.handled);
  $("handled").title = sources(counters.handledBySource);
  big("mailboxes", totals.mailboxSizes);
  setText($("longest-time"), data.longest.length ? seconds(data.longest[0].runningFor) : "–");
  big("actors", totals.actors);
  setText($("tracked"), data.tracked ? "all of them" : "that are known");
  big("failures", totals.failures);
  setText($("failures-rate"), rates ? number(rates.failures) : "–");
  $("failures-card").classList.toggle("bad", Boolean(rates && rates.failures > 0));
  big("restarts", totals.restarts);
  big("lost", counters.refused + counters.dropped + counters.dead);
  setText($("lost-parts"), [[counters.dead, "dead"], [counters.refused, "refused"], [counters.dropped, "dropped"]]
    .filter(([count]) => count > 0).map(([count, end]) => number(count) + " " + end).join(", ") || "no message");
  $("lost-card").classList.toggle("bad", Boolean(rates && rates.lost > 0));
  big("workers", totals.workers);
  big("workers-started", totals.workersStarted);
  spark($("rate-spark"), data.handledHistory);
  spark($("mailboxes-spark"), data.waitingHistory);
  states(totals);
  for (const id of ["busiest", "fullest", "longest", "restarted", "servers"]) table(id, data[id]);
  metrics(data.metrics);
  cycles(data.cycles);
  keyed($("tree"), data.tree, node => node.id, makeNode, updateNode);
  $("tree-note").hidden = data.moreRoots === 0 && data.complete;
  setText($("tree-note"), (data.moreRoots ? number(data.moreRoots) + " more at the top. " : "")
    + (data.complete ? "" : "The tree, the busiest and the servers are of the first 10,000 actors."));
  setText($("note"), "A look took " + data.costMillis + " ms. "
    + (data.tracked ? "" : "Idle actors that hold nothing are not counted, since the system has no tracking."));
}

function states(totals) {
  const all = TOTALS.map(([style, label, key]) => ({style, label, count: totals[key]}));
  keyed($("state-bar"), all.filter(state => state.count > 0), state => state.style, state => element("i", state.style),
    (part, state) => { part.style.flexGrow = state.count; });
  keyed($("legend"), all, state => state.style, state => {
    const pair = element("div");
    pair.append(element("dt", state.style, state.label), element("dd"));
    return pair;
  }, (pair, state) => setText(pair.lastChild, number(state.count)));
}

/** Labels of servers are not unique, so a row is known by its place, too. */
function metrics(all) {
  $("metrics").hidden = all.length === 0;
  const keys = new Map(all.map((metric, i) => [metric, [i, metric.server, metric.name, metric.tags, metric.unit].join("\n")]));
  keyed($("metrics").querySelector("tbody"), all, metric => keys.get(metric), makeMetric, (row, {unit, value}) => {
    setText(row.lastChild, unit === "seconds" && value !== null ? seconds(value) : number(value));
    row.lastChild.title = value + " " + unit;
  });
}

/** A long name wraps after a dot. */
function makeMetric({server, name, tags, unit}) {
  const row = element("tr"), what = element("td");
  const about = [tags, unit === "seconds" ? "" : unit].filter(Boolean).join(" · ");
  what.append(...name.split(/(?<=\.)/).flatMap(part => [part, element("wbr")]), element("span", "sub", about));
  what.lastChild.title = about;
  row.append(element("td", "", server), what, element("td", "number"));
  return row;
}

function cycles(found) {
  $("cycles").hidden = found.length === 0;
  keyed($("cycles").querySelector("ul"), found, cycle => cycle.names.join("\n"), () => element("li"),
    (line, cycle) => setText(line, [...cycle.names, cycle.names[0]].join(" → ")));
}

function makeNode() {
  const item = element("li");
  const line = element("div", "node"), who = element("a"), size = element("small");
  const list = element("ul"), more = element("div", "more");
  line.append(who, size);
  item.append(line, list, more);
  item.parts = [line, who, size, list, more];
  return item;
}

function updateNode(item, node) {
  const [line, who, size, list, more] = item.parts;
  line.className = "node " + node.state;
  line.title = STATES[node.state] || node.state;
  link(who, node);
  const facts = [];
  if (node.mailboxSize) facts.push(number(node.mailboxSize) + " waiting");
  if (node.restarts) facts.push(number(node.restarts) + (node.restarts === 1 ? " restart" : " restarts"));
  if (node.waitsFor) facts.push("waits for " + node.waitsFor);
  setText(size, facts.join(" · "));
  keyed(list, node.nodes, child => child.id, makeNode, updateNode);
  const rest = node.children - node.nodes.length;
  list.hidden = node.nodes.length === 0;
  more.hidden = rest <= 0;
  setText(more, number(rest) + (node.nodes.length ? " more" : rest === 1 ? " child" : " children"));
}

// ---- failures and dead letters

function incident(data) {
  const all = $("incidents");
  const key = [data.entry, data.kind, data.actorId].join(" "); // numbers alone begin anew with the server
  let item = [...all.children].find(child => child.dataset.key === key);
  if (!item) {
    item = makeIncident(data);
    item.dataset.key = key;
  }
  const [time, count, text] = item.parts;
  setText(time, new Date(data.time).toLocaleTimeString());
  setText(count, data.count > 1 ? "×" + number(data.count) : "");
  setText(text, data.kind === "FAILURE"
    ? shortType(data.what) + (data.text ? ": " + data.text : "")
    : "did not handle a " + shortType(data.message) + " (" + data.what.toLowerCase().replace("_", " ") + ")");
  if (item !== all.firstElementChild && !item.contains(document.activeElement)) all.prepend(item);
  while (all.children.length > MOST_INCIDENTS) all.lastElementChild.remove();
}

function makeIncident(data) {
  const item = element("details", data.kind);
  const summary = element("summary"), who = element("b", "", data.actor), count = element("span", "count");
  const time = element("time"), text = element("span", "text"), head = element("b");
  who.title = data.actor;
  head.append(who, count);
  summary.append(head, time, text);
  const detail = element("div", "detail"), to = element("a", "", "The actor");
  to.setAttribute("href", pageOf(data.actorId));
  detail.append(to, element("span", "", " · message: " + data.message));
  if (data.stack.length) {
    const frames = element("ol", "stack");
    stack(frames, data.stack);
    detail.append(frames);
  }
  item.append(summary, detail);
  item.parts = [time, count, text];
  return item;
}

function stack(list, frames) {
  const lines = frames.map((text, i) => ({text, key: i + " " + text}));
  keyed(list, lines, line => line.key, line =>
    element("li", /^(java\.base\/|java\.|jdk\.|io\.fibry\/|io\.fibry\.(?!examples))/.test(line.text) ? "jdk" : "", line.text), () => {});
}

// ---- one actor

function actor(data) {
  $("gone").hidden = true;
  setText($("name"), data.name);
  document.title = data.name + " – Fibry observer";
  setText($("behavior"), data.behavior);
  $("behavior").title = data.behavior;
  chip($("state"), data.state);
  const waits = $("waits");
  if (data.waitsFor && data.waitsForId) {
    let to = waits.querySelector("a");
    if (!to) {
      to = element("a");
      waits.replaceChildren("for ", to);
    }
    link(to, {id: data.waitsForId, name: data.waitsFor});
  } else {
    waits.replaceChildren(data.waitsFor ? "for " + data.waitsFor : data.stopping ? data.stopping.toLowerCase() : "");
  }
  setText($("time"), data.message ? seconds(data.runningFor) : "–");
  setText($("message"), data.message || "no message");
  big("mailbox", data.mailboxSize);
  big("handled", data.handled);
  $("handled").title = sources(data.handledBySource);
  setText($("rate"), number(data.rate));
  big("failures", data.failures);
  $("failures-card").classList.toggle("bad", data.failures > 0);
  setText($("restarts"), number(data.restarts));
  setText($("strategy"), data.strategy);
  setText($("actor-id"), "id " + data.id);
  $("crumb-parent").hidden = !data.parent;
  if (data.parent) {
    setText($("parent"), data.parent);
    if (data.parentId) $("parent").setAttribute("href", pageOf(data.parentId));
  }
  stack($("stack"), data.moreFrames ? [...data.stack, data.moreFrames + " more"] : data.stack);
  table("nodes", data.nodes);
  $("control").hidden = !data.canStop;
}

function gone() {
  $("gone").hidden = false;
  $("control").hidden = true;
  chip($("state"), "IDLE");
  setText($("state"), "not there");
  stack($("stack"), []);
}

async function stop(event) {
  event.preventDefault();
  const result = $("stop-result");
  try {
    const answer = await fetch(location.pathname + "/stop?mode=" + encodeURIComponent($("mode").value),
      {method: "POST", headers: {"Fibry-Token": $("token").value}});
    setText(result, await answer.text());
  } catch (e) {
    setText(result, "The server cannot be reached.");
  }
}

// ---- the connection; none while the page is hidden or paused, so that it costs the server nothing

let source = null;
let retry = 0;
let paused = false;

function status(style, text) {
  $("status").className = "status " + style;
  setText($("status"), text);
}

function disconnect() {
  clearTimeout(retry);
  if (source) source.close();
  source = null;
}

function connect() {
  disconnect();
  if (paused || document.hidden) {
    status("paused", "paused");
    return;
  }
  status("", "connecting");
  const isActor = document.body.dataset.page === "actor";
  source = new EventSource(isActor ? location.pathname + "/events" : "/events");
  const on = (name, action) => source.addEventListener(name, event => action(JSON.parse(event.data)));
  on("overview", overview);
  on("incident", incident);
  on("actor", actor);
  on("gone", gone);
  source.onopen = () => status("live", "live");
  source.onerror = () => {
    disconnect();
    status("off", "disconnected, trying again");
    retry = setTimeout(connect, 2000);
  };
}

$("pause").addEventListener("click", () => {
  paused = !paused;
  $("pause").setAttribute("aria-pressed", String(paused));
  setText($("pause"), paused ? "Go on" : "Pause");
  connect();
});
document.addEventListener("visibilitychange", connect);
window.addEventListener("pagehide", disconnect);
window.addEventListener("pageshow", event => { if (event.persisted) connect(); });
if ($("stop")) $("stop").addEventListener("submit", stop);
connect();

"use strict";
// Everything from the server is shown as text: only textContent, never HTML.

const $ = id => document.getElementById(id);
const STATES = {
  IDLE: "idle", READY: "ready", RUNNING: "running", WAITS_FOR_REPLY: "waits for reply", WAITS_FOR_ROOM: "waits for room",
  WAITS_FOR_EXIT: "waits for end", WAITS_FOR_PAUSE: "waits for pause", PAUSED: "paused", STOPPING: "stopping"
};
const SLOW = "has been handling one message for more than two minutes";

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

function millis(value) {
  return value < 1 ? number(value) + " ms" : seconds(value / 1000);
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

function pageOf(id) {
  return "/actors/" + encodeURIComponent(id);
}

function link(node, actor) {
  setText(node, actor.name);
  node.title = actor.name;
  node.setAttribute("href", pageOf(actor.id));
}

/** The style of an actor: its state, and red if it has been handling one message for too long. */
function styleOf(actor) {
  return actor.state + (actor.slow ? " SLOW" : "");
}

function hintOf(actor) {
  return (STATES[actor.state] || actor.state) + (actor.slow ? ": " + SLOW : "");
}

function chip(node, actor) {
  node.className = "chip " + styleOf(actor);
  node.title = actor.slow ? SLOW : "";
  setText(node, STATES[actor.state] || actor.state);
}

/** Makes the children of a node those of the list; one with the same key stays, with the focus and what is open in it. */
function keyed(parent, items, keyOf, make, update) {
  const old = new Map();
  for (const child of [...parent.children]) {
    if (old.has(child.dataset.key)) {
      child.remove(); // ids are not quite unique
    } else {
      old.set(child.dataset.key, child);
    }
  }
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

/** The navigation marks the page that is shown. */
for (const to of document.querySelectorAll("nav.crumbs a")) {
  if (to.getAttribute("href") === location.pathname) to.setAttribute("aria-current", "page");
}

// ---- tables of actors

const VALUES = {rate: number, mailboxSize: number, runningFor: seconds, restarts: number, children: number};

function table(id, actors) {
  const value = $(id).dataset.value;
  const most = Math.max(1e-9, ...actors.map(actor => actor[value]));
  keyed($(id).tBodies[0], actors, actor => actor.id, makeRow, (row, actor) => {
    const [who, sub, state, size, meter] = row.parts;
    link(who, actor);
    about(sub, actor);
    chip(state, actor);
    row.firstChild.className = "actor " + styleOf(actor);
    row.firstChild.title = hintOf(actor);
    setText(size, VALUES[value](actor[value]));
    meter.style.width = 100 * actor[value] / most + "%";
  });
}

/** What an actor does, in one line. */
function about(node, actor) {
  setText(node, actor.waitsFor ? "waits for " + actor.waitsFor
    : actor.message ? "handles " + shortType(actor.message) : shortType(actor.behavior));
  node.title = actor.behavior;
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

function stack(list, frames) {
  const lines = frames.map((text, i) => ({text, key: i + " " + text}));
  keyed(list, lines, line => line.key, line =>
    element("li", /^(java\.base\/|java\.|jdk\.|io\.fibry\/|io\.fibry\.(?!examples))/.test(line.text) ? "jdk" : "", line.text), () => {});
}

// ---- a page is live while it is visible and not paused; otherwise it costs the server nothing

let paused = false;

function status(style, text) {
  $("status").className = "status " + style;
  setText($("status"), text);
}

/** Starts the page now and whenever it is live again; each start is preceded by a stop. */
function whileLive(start, stop) {
  const update = () => {
    stop();
    if (paused || document.hidden) {
      status("paused", "paused");
    } else {
      status("", "connecting");
      start();
    }
  };
  $("pause").addEventListener("click", () => {
    paused = !paused;
    $("pause").setAttribute("aria-pressed", String(paused));
    setText($("pause"), paused ? "Go on" : "Pause");
    update();
  });
  document.addEventListener("visibilitychange", update);
  window.addEventListener("pagehide", stop);
  window.addEventListener("pageshow", event => { if (event.persisted) update(); });
  update();
}

"use strict";
// The failures and dead letters on the first page.

const MOST_INCIDENTS = 50;

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

"use strict";
// The first page.

const SVG = "http://www.w3.org/2000/svg";
const TOTALS = [["IDLE", "idle", "idle"], ["READY", "ready", "ready"], ["RUNNING", "running", "running"],
  ["WAITING", "waiting for others", "waiting"], ["PAUSED", "paused", "paused"], ["STOPPING", "stopping", "stopping"]];

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
  const parts = [[counters.dead, "dead"], [counters.refused, "refused"], [counters.dropped, "dropped"]];
  keyed($("lost-parts"), parts.filter(([count]) => count > 0), ([, end]) => end, () => element("span"),
    (part, [count, end]) => setText(part, number(count) + " " + end));
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
  $("more-roots").hidden = data.moreRoots === 0;
  setText($("more-roots"), number(data.moreRoots) + " more at the top");
  $("tree-note").hidden = data.complete;
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
  const list = element("ul"), more = element("a", "more");
  line.append(who, size);
  item.append(line, list, more);
  item.parts = [line, who, size, list, more];
  return item;
}

function updateNode(item, node) {
  const [line, who, size, list, more] = item.parts;
  line.className = "node " + styleOf(node);
  line.title = hintOf(node);
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
  more.setAttribute("href", "/list?parent=" + encodeURIComponent(node.id));
  setText(more, number(rest) + (node.nodes.length ? " more" : rest === 1 ? " child" : " children"));
}

live("/events", {overview, incident});

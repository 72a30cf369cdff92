"use strict";
// The page of the message flow: a picture, its summary, and a table.

function flow(data) {
  const {nodes, edges, path} = data;
  setText($("system"), data.system);
  document.title = data.system + " – Message flow";
  setText($("subtitle"), "Message flow · " + new Date().toLocaleTimeString());
  setText($("summary"), summary(data));
  $("picture").hidden = nodes.length === 0;
  draw($("flow"), data);
  const rows = edges.map(edge => ({...edge, from: nodes[edge.from], to: nodes[edge.to]}));
  keyed($("edges").tBodies[0], rows, row => row.from + "\n" + row.to, makeEdge, updateEdge);
  setText($("rest"), (data.otherEdges ? number(data.otherEdges) + " more, with fewer messages. " : "")
    + (data.oneIn > 1 ? "One message in " + number(data.oneIn) + " is measured." : "Each message is measured."));
}

function summary({nodes, edges, path}) {
  if (edges.length === 0) return "No message has been handled since this page was opened.";
  const parts = [nodes.length + " actors or groups, " + edges.length + " connections."];
  if (path.length) parts.push("Hottest path: " + path.map(shortType).join(" → ") + ".");
  const blocked = edges.filter(edge => edge.waitingFor >= 1).slice(0, 3);
  if (blocked.length) {
    parts.push("Blocked: " + blocked.map(edge => shortType(nodes[edge.from]) + " waits for "
      + shortType(nodes[edge.to]) + ", " + seconds(edge.waitingFor)).join("; ") + ".");
  }
  return parts.join(" ");
}

function makeEdge(row) {
  const line = element("tr");
  for (const name of [row.from, row.to]) {
    const cell = element("td");
    if (name.startsWith("(")) {
      cell.append(element("span", "", name));
    } else {
      const to = element("a", "", shortType(name));
      to.title = name;
      to.setAttribute("href", "/list?search=" + encodeURIComponent(name.replace(/\*$/, "")));
      cell.append(to);
    }
    line.append(cell);
  }
  for (let i = 0; i < 6; i++) line.append(element("td", "number"));
  return line;
}

function updateEdge(line, row) {
  const times = row.rate > 0;
  const texts = [number(row.rate), number(row.asks), number(row.failures), times ? millis(row.wait) : "–",
    times ? millis(row.handler) : "–", row.waiting ? waitText(row) : "–"];
  texts.forEach((text, i) => setText(line.children[i + 2], text));
  line.className = kindOf(row);
}

live("/flow/events", {flow});

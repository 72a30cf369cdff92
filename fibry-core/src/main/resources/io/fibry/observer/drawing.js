"use strict";
// The picture of the message flow: layers from left to right, computed here. Equal data gives an equal picture.

/** A picture that is wider than the page is made smaller, but not below this part, and is scrolled then. */
const LEAST_SCALE = 0.75;

const SVG_NAMES = "http://www.w3.org/2000/svg";
const BOX = {width: 152, height: 30, across: 76, down: 18, margin: 36, longest: 20};

function svgElement(tag, attributes, text) {
  const made = document.createElementNS(SVG_NAMES, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  return made;
}

/** The edges that close a cycle when the graph is walked along its strongest edges; they point to the left. */
function backEdges(count, edges) {
  const out = Array.from({length: count}, () => []);
  const entering = new Array(count).fill(0);
  for (const edge of edges) {
    if (edge.from === edge.to) continue;
    out[edge.from].push(edge);
    entering[edge.to]++;
  }
  const state = new Array(count).fill(0), back = new Set();
  const walk = node => {
    state[node] = 1;
    for (const edge of out[node]) {
      if (state[edge.to] === 1) back.add(edge);
      else if (state[edge.to] === 0) walk(edge.to);
    }
    state[node] = 2;
  };
  const starts = [...state.keys()].sort((one, other) => entering[one] - entering[other] || one - other);
  for (const node of starts) if (state[node] === 0) walk(node);
  return back;
}

/** The nodes of each layer, in an order with few crossings. */
function layersOf(count, edges) {
  const back = backEdges(count, edges);
  const ahead = edges.filter(edge => edge.from !== edge.to && !back.has(edge));
  const layer = new Array(count).fill(0);
  for (let round = 0; round < count; round++) {
    for (const {from, to} of ahead) layer[to] = Math.max(layer[to], layer[from] + 1);
  }
  const layers = [];
  for (let node = 0; node < count; node++) (layers[layer[node]] ??= []).push(node);
  const place = new Array(count).fill(0);
  const number = nodes => nodes.forEach((node, i) => { place[node] = i - (nodes.length - 1) / 2; });
  layers.forEach(number);
  for (let sweep = 0; sweep < 4; sweep++) {
    for (const nodes of sweep % 2 ? layers.toReversed() : layers) {
      const middle = new Map(nodes.map(node => {
        const others = ahead.filter(edge => edge.from === node || edge.to === node)
          .map(edge => place[edge.from === node ? edge.to : edge.from]);
        return [node, others.length ? others.reduce((sum, at) => sum + at, 0) / others.length : place[node]];
      }));
      nodes.sort((one, other) => middle.get(one) - middle.get(other) || one - other);
      number(nodes);
    }
  }
  return layers;
}

/** The upper left corner of each node, and the size of the picture. */
function layout(count, edges) {
  const layers = layersOf(count, edges);
  const most = Math.max(1, ...layers.map(nodes => nodes.length));
  const height = most * (BOX.height + BOX.down) + 2 * BOX.margin;
  const width = layers.length * (BOX.width + BOX.across) - BOX.across + 2 * BOX.margin;
  const at = [];
  layers.forEach((nodes, column) => nodes.forEach((node, i) => {
    const top = (height - nodes.length * (BOX.height + BOX.down) + BOX.down) / 2;
    at[node] = {x: BOX.margin + column * (BOX.width + BOX.across), y: top + i * (BOX.height + BOX.down)};
  }));
  return {at, width: Math.max(width, 320), height};
}

/** The curve of an edge: forward from right to left, backward below both nodes, or a loop. */
function curve(from, to) {
  const x = from.x + BOX.width, y = from.y + BOX.height / 2, toX = to.x - 2, toY = to.y + BOX.height / 2;
  if (from === to) return {d: `M${x} ${y - 6}c34 -22 34 34 2 12`, x: x + 26, y};
  if (toX > x) {
    const bend = (toX - x) / 2;
    return {d: `M${x} ${y}C${x + bend} ${y} ${toX - bend} ${toY} ${toX} ${toY}`, x: (x + toX) / 2, y: (y + toY) / 2};
  }
  const low = Math.max(y, toY) + BOX.height + BOX.down;
  return {d: `M${x} ${y}C${x + 60} ${low} ${toX - 60} ${low} ${toX} ${toY}`, x: (x + toX) / 2, y: (y + toY) / 8 + low * 3 / 4 + 18};
}

const KINDS = ["plain", "hot", "waiting", "blocked"];

function kindOf(edge) {
  return edge.waitingFor >= 1 ? "blocked" : edge.waiting > 0 ? "waiting" : edge.hot ? "hot" : "plain";
}

function waitText(edge) {
  return number(edge.waiting) + (edge.waiting === 1 ? " waits " : " wait ") + seconds(edge.waitingFor);
}

function arrows() {
  const all = svgElement("defs", {});
  for (const kind of KINDS) {
    const arrow = svgElement("marker", {id: "arrow-" + kind, class: kind, viewBox: "0 0 10 10", refX: 9, refY: 5,
      markerWidth: 11, markerHeight: 11, markerUnits: "userSpaceOnUse", orient: "auto"});
    arrow.append(svgElement("path", {d: "M0 0L10 5L0 10Z"}));
    all.append(arrow);
  }
  return all;
}

function short(name) {
  const text = shortType(name);
  return text.length > BOX.longest ? text.slice(0, BOX.longest - 1) + "…" : text;
}

/** Draws the graph. The weak edges are drawn first, and the labels last, so that nothing hides what matters. */
function draw(svg, {nodes, edges}) {
  const {at, width, height} = layout(nodes.length, edges);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("width", width);
  svg.style.minWidth = Math.round(LEAST_SCALE * width) + "px";
  const most = Math.max(1e-9, ...edges.map(edge => edge.rate));
  const lines = [], labels = [];
  const sorted = edges.toSorted((one, other) => KINDS.indexOf(kindOf(one)) - KINDS.indexOf(kindOf(other)));
  for (const edge of sorted) {
    const kind = kindOf(edge), {d, x, y} = curve(at[edge.from], at[edge.to]);
    const line = svgElement("path", {class: "edge " + kind, d, "marker-end": `url(#arrow-${kind})`,
      "stroke-width": ((kind === "plain" ? 1 : 2.5) + 5 * Math.sqrt(edge.rate / most)).toFixed(1)});
    line.append(svgElement("title", {}, nodes[edge.from] + " → " + nodes[edge.to] + ": " + number(edge.rate) + " a second"));
    lines.push(line);
    if (kind !== "plain") {
      const text = edge.waiting ? seconds(edge.waitingFor) + (edge.waiting > 1 ? " ×" + number(edge.waiting) : "")
        : number(edge.rate) + "/s";
      labels.push(svgElement("text", {class: "label " + kind, x, y: y - 5}, text));
    }
  }
  const boxes = nodes.map((name, i) => {
    const group = svgElement("g", {class: "box", transform: `translate(${at[i].x} ${at[i].y})`});
    group.append(svgElement("rect", {width: BOX.width, height: BOX.height, rx: 8}),
      svgElement("text", {x: BOX.width / 2, y: BOX.height / 2 + 4.5}, short(name)), svgElement("title", {}, name));
    return group;
  });
  svg.replaceChildren(arrows(), ...lines, ...boxes, ...labels);
}

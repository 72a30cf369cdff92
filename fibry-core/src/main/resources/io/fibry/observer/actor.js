"use strict";
// The page of one actor.

function actor(data) {
  $("gone").hidden = true;
  setText($("name"), data.name);
  document.title = data.name + " – Fibry observer";
  setText($("behavior"), data.behavior);
  $("behavior").title = data.behavior;
  chip($("state"), data);
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
  setText($("timers"), number(data.handledBySource.timers));
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
  $("all-nodes").hidden = data.children <= data.nodes.length;
  $("all-nodes").setAttribute("href", "/list?parent=" + encodeURIComponent(data.id));
  setText($("all-nodes"), "All " + number(data.children) + " children");
  $("control").hidden = !data.canStop;
}

function gone() {
  $("gone").hidden = false;
  $("control").hidden = true;
  chip($("state"), {state: "IDLE"});
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

if ($("stop")) $("stop").addEventListener("submit", stop);
live(location.pathname + "/events", {actor, gone, messages, incident});

// The engine behind the page. Whatever takes questions by `ask` and tells events can stand here; this one is
// a server's.

class Engine {
  static mostMemory = 4096;

  // `hear` is told each event.
  constructor(hear) {
    this.tab = 0;
    const events = new EventSource("events");
    events.addEventListener("message", ({ data }) => {
      const event = JSON.parse(data);
      if (event.tell === "hello") this.tab = event.tab;
      hear(event);
    });
    // A browser tries again until it is refused.
    const hope = "It comes back when `zebu board` runs again.";
    const refused = "This page's address is out of date: open the one that `zebu board` shows.";
    events.addEventListener("error", () => {
      const isOver = events.readyState === EventSource.CLOSED;
      hear({ tell: "lost", text: `The connection to Zebu is lost. ${isOver ? refused : hope}` });
    });
  }

  // Promises what is answered; what is wrong is thrown, in words.
  async ask(question) {
    const headers = { "Content-Type": "application/json", "X-Tab": this.tab };
    const response = await fetch("ask", { method: "POST", headers, body: JSON.stringify(question) }).catch(() => {
      throw new Error("Zebu does not answer. Is `zebu board` still running?");
    });
    if (!response.ok) throw new Error(await response.text());
    const answer = await response.json();
    if (answer.wrong) throw new Error(answer.wrong);
    return answer.found ?? answer.items ?? answer.said ?? "";
  }
}

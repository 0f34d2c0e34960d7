/* Every request a script makes. Only an answer with Winded's own mark is one: a guest network's login page is not. */
const PATIENCE = 8000;

// Gives null where no answer came, or one that was not ours.
export async function ask(url, options = {}, over = new AbortController()) {
  const timer = setTimeout(() => over.abort(), PATIENCE);
  try {
    const headers = { "Winded-Script": "1", ...options.headers };
    const answer = await fetch(url, { ...options, headers, signal: over.signal });
    const text = await answer.text();
    return answer.headers.has("winded") ? { text, ok: answer.ok, status: answer.status } : null;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

// A longer text would take long to read: a cell can have a million letters.
const LONGEST_READ = 100_000;
// Matches a part that is short enough for each test of a note. It ends with a clause or a word if it can.
const PART = /[\s\S]{1,180}(?:[.,;!?|\n]|$)|[\s\S]{1,180}(?=\s)|[\s\S]{1,180}/gu;
const ENDS_CLAUSE = /[.,;!?|\n]$/u;
const OVERLAP = 50;
const SHORTEST_PART = 61;

/**
 * The parts of a long note, such as the history of a customer. svc reads each part like a note. A part that begins
 * inside a clause also has the end of the part before it. A short last part is joined to the part before it, because
 * svc asks about short notes more often.
 */
export function partsOfLongNote(text: string): readonly string[] {
  const cut = text.slice(0, LONGEST_READ).match(PART) ?? [];
  const parts = cut.map((part, index) => {
    const before = cut[index - 1] ?? '';
    return ENDS_CLAUSE.test(before) ? part : before.slice(-OVERLAP) + part;
  });
  const last = parts.at(-1) ?? '';
  return parts.length > 1 && last.length < SHORTEST_PART ? [...parts.slice(0, -2), `${parts.at(-2)}${last}`] : parts;
}

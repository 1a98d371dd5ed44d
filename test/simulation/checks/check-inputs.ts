import type { Life } from '../life.ts';
import type { Outcome } from '../outcome.ts';
import { type ListFile, linesByEmail, type Version } from '../scenario/list-file.ts';

/**
 * A run sends the list as first read (rule D7). Every run uses the list as it was at one moment of the program that
 * began it. Only its people are sent. A program may refuse its list only if the list changed meanwhile.
 */
export function checkInputs({ lives, usedVersions, sent }: Outcome): string[] {
  const surveyed = new Set(usedVersions.flatMap((version) => [...linesByEmail(version).keys()]));
  return [
    ...[...sent]
      .filter((email) => !surveyed.has(email))
      .map((email) => `D7: ${email} was sent and is in no list taken`),
    ...lives.flatMap((life) => life.programs.flatMap((program) => checkProgram(life.list, program))),
  ];
}

function checkProgram(list: ListFile, { began, from, to, code, err }: Life['programs'][number]): string[] {
  const present = list.history.slice(from, to + 1);
  const torn = began.filter((sha256) => !present.some((version) => version?.sha256 === sha256));
  const refused = code === 2 && err.includes('input_changed') && from === to;
  const unread = code === 2 && err.includes('input_unreadable') && present.every((version) => version !== undefined);
  return [
    ...torn.map((sha256) => `D7: a run of a list that never was: ${sha256.slice(0, 12)}`),
    ...(refused ? [`D7: refused a list that did not change: ${err}`] : []),
    ...(unread ? [`D7: a list that was there could not be read: ${err}`] : []),
  ];
}

/** People whose rows differ between these lists. */
export function differingPeople(usedVersions: readonly Version[]): ReadonlySet<string> {
  const lists = usedVersions.map(linesByEmail);
  const everybody = new Set(lists.flatMap((lines) => [...lines.keys()]));
  return new Set([...everybody].filter((email) => new Set(lists.map((lines) => lines.get(email))).size > 1));
}

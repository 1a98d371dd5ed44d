import type { Finding } from '../../../../../../src/base/finding.ts';
import type { ReadList } from '../../../support.ts';

/** All stops and warnings about a list, with every part, and how its columns are read. */
export function findingLines({ reading }: ReadList): string[] {
  return reading.findings.filter(({ level, check }) => level !== 'pass' || check === 'columns').flatMap(linesOf);
}

/** The code, message and hint of an error. */
export function errorLines({
  code,
  exit,
  message,
  hint,
}: Error & { code?: string; exit?: number; hint?: string }): string[] {
  return [`error ${exit} ${code}: ${message}`, ...indented(hint)];
}

/** What svc would send of a list. */
export function peopleLines({ reading, contacts, suppressions }: ReadList): string[] {
  const { read, rejected, merged, skipped } = reading.rows;
  return [
    `rows: ${JSON.stringify({ read, rejected, merged, skipped })}`,
    `list: ${JSON.stringify(reading.list)}`,
    ...contacts.map((contact) => `send ${JSON.stringify(contact)}`),
    ...Object.entries(suppressions).map(([reason, emails]) => `suppress ${reason}: ${emails.join(' ')}`),
  ];
}

function linesOf(finding: Finding): string[] {
  const { level, check, message, hint, when, otherwise = [], examples = [], total, values = [], ...rest } = finding;
  const places = examples.map(({ file, line, column, value }) => `${file}:${line} ${column}=${value ?? ''}`);
  return [
    `${level} ${check}: ${message}`,
    ...(when === undefined ? [] : [`  ${when}:`]),
    ...indented(hint),
    ...otherwise.flatMap((answer) => [`  ${answer.when}:`, ...indented(answer.flags)]),
    ...(total === undefined ? [] : [`  ${total}: ${places.join(' | ')}`]),
    ...values.map((value) => `  ${JSON.stringify(value)}`),
    ...(Object.keys(rest).length === 0 ? [] : [`  ${JSON.stringify(rest)}`]),
  ];
}

function indented(hint = ''): string[] {
  return hint === '' ? [] : hint.split('\n').map((line) => `    ${line}`);
}

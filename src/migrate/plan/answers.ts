import type { Finding } from '../../import/survey/finding.ts';

/** Makes the whole command: the line as typed, with the flags (shell text) behind it. */
export type Retype = (flags: string) => string;

/**
 * Completes the hints of stops with the whole command to type next (C11: hints never offer harm first). The likeliest
 * answer comes first. The others follow, each with its condition. If the line cannot be repeated, as in a resume, the
 * hints show the flags only.
 */
export function withWholeCommands(findings: readonly Finding[], retype: Retype | undefined): Finding[] {
  return findings.map((finding) => {
    const { hint, when, otherwise = [] } = finding;
    if (retype === undefined || finding.level !== 'stop' || !isFlags(hint)) {
      return finding;
    }
    const first = [...(when === undefined ? [] : [`${when}:`]), retype(hint)];
    const others = otherwise.flatMap((answer) => [`${answer.when}:`, retype(answer.flags)]);
    return { ...finding, flags: hint, hint: [...first, ...others].join('\n') };
  });
}

export interface CommandAnswer {
  readonly conditions: readonly string[];
  readonly command: string;
}

/**
 * The commands that answer all stops at once. The flag that allows an automation lets it mail all imported people. So
 * it has its own command, after its condition (M3, C11).
 */
export function commandsFor(stops: readonly Finding[], retype: Retype): readonly CommandAnswer[] {
  const answered = stops.filter(({ flags }) => flags !== undefined);
  const harmless = answered.filter(({ check }) => check !== 'automations');
  const commands = harmless.length === answered.length ? [harmless] : [harmless, answered];
  return commands.filter((part) => part.length > 0).map((part) => commandFor(part, retype));
}

/** The text that answers all stops at once. If a stop has no flag, its hint is shown too. */
export function answerToAll(stops: readonly Finding[], retype: Retype | undefined): string | undefined {
  if (retype === undefined || stops.length < 2) {
    return stops[0]?.hint;
  }
  const prose = stops.flatMap(({ flags, hint }) => (flags === undefined && hint !== undefined ? [hint] : []));
  const lines = commandsFor(stops, retype).flatMap(({ conditions, command }) => [
    ...conditions.map((condition) => `${condition}:`),
    command,
  ]);
  return prose.length + lines.length > 0 ? [...prose, ...lines].join('\n') : undefined;
}

function commandFor(stops: readonly Finding[], retype: Retype): CommandAnswer {
  const conditions = new Set(stops.flatMap(({ when }) => (when === undefined ? [] : [when])));
  const flags = new Set(stops.flatMap((stop) => stop.flags ?? []));
  return { conditions: [...conditions], command: retype([...flags].join(' ')) };
}

/** True for a hint of flags with real values only. Prose, and placeholders to fill in, are shown unchanged. */
export function isFlags(hint: string | undefined): hint is string {
  return hint !== undefined && /^--[a-z]/.test(hint) && !/, (?:or|and|to) |=<|<column>/.test(hint);
}

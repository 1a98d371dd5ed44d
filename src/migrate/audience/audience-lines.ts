import { formatNumber, looseNameKey, shellWord, terminalSafe } from '../../base/lib/text.ts';
import type { Audience } from '../../wire/shapes.ts';

interface AudienceNames {
  /** The text above a flag that has only the id of an audience. Default: the name of the audience. */
  readonly describe?: (audience: Audience) => string;
  /** The name that the user asked for. */
  readonly asked?: string;
}

/**
 * The flags that choose the audiences, one a line. A flag has the name if the name is plain and no other name looks
 * like it. Otherwise the flag has the id, below a line that describes the audience. A description is never on the same
 * line as a flag, because zsh would run `$(…)` in it.
 */
export function audienceLines(
  all: readonly Audience[],
  { describe = ({ name }) => JSON.stringify(name), asked = '' }: AudienceNames = {},
): string {
  const names = [asked, ...all.map(({ name }) => name)].map(looseNameKey);
  const isClear = ({ name }: Audience) =>
    PLAIN_NAME.test(name) && names.filter((other) => other === looseNameKey(name)).length === 1;
  return limitedLines(all, (audience) =>
    isClear(audience) ? `--audience ${shellWord(audience.name)}` : lineWithId(audience, describe(audience)),
  );
}

/** Like `audienceLines`, but each flag has the id. The audiences may be renamed again, and an id stays valid. */
export function audienceIdLines(all: readonly Audience[]): string {
  return limitedLines(all, (audience) => lineWithId(audience, JSON.stringify(audience.name)));
}

function lineWithId({ id }: Audience, description: string): string {
  return `For ${terminalSafe(description)}:\n--audience ${shellWord(id)}`;
}

function limitedLines(all: readonly Audience[], lineOf: (audience: Audience) => string): string {
  const left = all.length - MAX_OFFERED;
  const more = left > 0 ? [`For ${formatNumber(left)} more, see: svc audiences ls --all`] : [];
  return [...all.slice(0, MAX_OFFERED).map(lineOf), ...more].join('\n');
}

// A hint offers at most this many audiences, so that the first ones stay on the screen.
const MAX_OFFERED = 8;

// Matches a name that can't be mistaken for an id or a flag.
const PLAIN_NAME = /^(?!aud_)[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u;

/** The variants of a regular expression: each leaves out another of its alternatives. */
export function withoutOneAlternative(source: string): string[] {
  const groups: Alternative[][] = [[{ start: 1, end: 1 }]];
  const found: Alternative[][] = [groups[0] ?? []];
  let inClass = false;
  const end = source.lastIndexOf('/');
  for (let at = 1; at < end; at += 1) {
    const char = source[at];
    if (char === '\\') {
      at += 1;
    } else if (char === '[' || char === ']') {
      inClass = char === '[';
    } else if (!inClass) {
      takeChar({ groups, found, source }, at);
    }
  }
  close(groups.at(-1), end);
  return found.filter(({ length }) => length > 1).flatMap((group) => group.map((one) => without(source, one, group)));
}

interface Alternative {
  readonly start: number;
  end: number;
}

interface Scan {
  readonly groups: Alternative[][];
  readonly found: Alternative[][];
  readonly source: string;
}

function takeChar({ groups, found, source }: Scan, at: number): void {
  switch (source[at]) {
    case '(': {
      const prefix = /^\((\?(?:[:=!]|<[=!]|<\w+>))?/.exec(source.slice(at))?.[0].length ?? 1;
      const group = [{ start: at + prefix, end: at + prefix }];
      groups.push(group);
      found.push(group);
      return;
    }
    case ')':
      close(groups.pop(), at);
      return;
    case '|':
      close(groups.at(-1), at);
      groups.at(-1)?.push({ start: at + 1, end: at + 1 });
      return;
    default:
  }
}

function close(group: Alternative[] | undefined, end: number): void {
  const last = group?.at(-1);
  if (last) {
    last.end = end;
  }
}

// Removes an alternative and one bar: the following one for the first alternative, else the preceding one.
function without(source: string, { start, end }: Alternative, [first]: readonly Alternative[]): string {
  return start === first?.start
    ? source.slice(0, start) + source.slice(end + 1)
    : source.slice(0, start - 1) + source.slice(end);
}

import { isUtf8 } from 'node:buffer';
import { parseJsonStrictly } from '../../base/lib/json.ts';
import { terminalSafe } from '../../base/lib/text.ts';

/**
 * Parses a JSON file that was written by hand. Throws SyntaxError with the line if the bytes are not UTF-8, the text is
 * not JSON, or an object has a key twice. JSON.parse would drop the first value of that key without an error.
 */
export function parseJsonFile(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) {
    throw new SyntaxError(`it isn't UTF-8, line ${lineOfForeignBytes(bytes)}`);
  }
  const text = bytes.toString('utf8');
  const value = parseJsonStrictly(text);
  const repeated = findRepeatedKey(text);
  if (repeated !== undefined) {
    const line = text.slice(0, repeated.at).split('\n').length;
    throw new SyntaxError(`${terminalSafe(repeated.path)} is there twice, line ${line}`);
  }
  return value;
}

// The number of the first line that is not UTF-8. In UTF-8 the byte of a line break is never part of another character.
function lineOfForeignBytes(bytes: Buffer): number {
  let line = 1;
  for (let from = 0, to = bytes.indexOf('\n'); to >= 0 && isUtf8(bytes.subarray(from, to)); line += 1) {
    from = to + 1;
    to = bytes.indexOf('\n', from);
  }
  return line;
}

interface RepeatedKey {
  readonly path: string;
  /** The position in the text where the key is repeated. */
  readonly at: number;
}

/** An object or list that is not closed yet at this position. `name` is the path of the value that comes next in it. */
interface OpenValue {
  readonly path: string;
  readonly keys: Set<string> | undefined;
  index: number;
  name: string;
}

// Matches strings, and the characters that open, close and separate values. All other text can't contain a key.
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

function findRepeatedKey(text: string): RepeatedKey | undefined {
  const open: OpenValue[] = [];
  let expectsKey = false;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const inside = open.at(-1);
    if (token === '{' || token === '[') {
      open.push(openValue(token, inside));
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (token === ',' && inside?.keys === undefined) {
      nextItem(inside);
    } else if (expectsKey && inside?.keys !== undefined && token !== ',') {
      const key = String(parseJsonStrictly(token));
      inside.name = inside.path === '' ? key : `${inside.path}.${key}`;
      if (inside.keys.has(key)) {
        return { path: inside.name, at: index };
      }
      inside.keys.add(key);
    }
    expectsKey = token === '{' || token === ',';
  }
  return undefined;
}

function openValue(token: string, inside: OpenValue | undefined): OpenValue {
  const path = inside?.name ?? '';
  const isList = token === '[';
  return { path, keys: isList ? undefined : new Set(), index: 0, name: isList ? `${path}[0]` : path };
}

function nextItem(inside: OpenValue | undefined): void {
  if (inside !== undefined) {
    inside.index += 1;
    inside.name = `${inside.path}[${inside.index}]`;
  }
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';

/** Blocks of expected text in one file. Each begins with a line `# title`. */
export interface Golden {
  /** Compares a block with the file. `UPDATE=1` writes the file instead, with the blocks in the order of the tests. */
  check(title: string, lines: readonly string[]): void;
  /** The recorded lines of a block. */
  lines(title: string): readonly string[];
  /** The titles of all blocks. After `UPDATE=1`: of those that tests have checked. */
  titles(): string[];
}

/** Opens the file of a table. */
export function openGolden(path: string): Golden {
  const expected = existsSync(path) ? readFileSync(path, 'utf8').split(/^(?=# )/m) : [];
  const written: string[] = [];
  const isUpdate = process.env.UPDATE === '1';
  const recorded = (title: string) => expected.find((each) => each.startsWith(`# ${title}\n`));
  return {
    check: (title, lines) => {
      const block = `# ${title}\n${lines.map((line) => `${line}\n`).join('')}`;
      if (isUpdate) {
        written.push(block);
        writeFileSync(path, written.join(''));
        return;
      }
      expect(block).toBe(recorded(title));
    },
    lines: (title) => recorded(title)?.trimEnd().split('\n').slice(1) ?? [],
    titles: () => (isUpdate ? written : expected).map((block) => block.split('\n')[0]?.slice(2) ?? ''),
  };
}

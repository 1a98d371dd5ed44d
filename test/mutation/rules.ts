import { readFileSync } from 'node:fs';

const PAGE = readFileSync(new URL('../../docs/rules.md', import.meta.url), 'utf8');

/** One rule of docs/rules.md: its code, and the test files that the page names for it. */
export interface Rule {
  readonly code: string;
  readonly tests: readonly string[];
}

/** The rules in the order of docs/rules.md. */
export const RULES: readonly Rule[] = PAGE.split(/^### /m)
  .slice(1)
  .map((section) => ({
    code: section.slice(0, section.indexOf(' ')),
    tests: [...(/^Tests: (.*)$/m.exec(section)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
  }));

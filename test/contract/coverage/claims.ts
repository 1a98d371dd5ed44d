import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * One sentence, list item or table row of the service document, word for word, with its proof. The proof is a list of
 * tests, the open points that it leaves, or the reason why it binds no program.
 */
export interface Claim {
  readonly section: string;
  readonly claim: string;
  /** `file › title`. */
  readonly tests?: readonly string[];
  /** Points of docs/service-notes.md. */
  readonly open?: readonly string[];
  readonly because?: string;
}

/** All claims, in the order of the document. */
export function readClaims(): Claim[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'claims.json'), 'utf8'));
}

/** The claims of a document: its sentences, list items and table rows, each with its heading. */
export function claimsOf(document: string): Pick<Claim, 'section' | 'claim'>[] {
  const lines = document.split('\n');
  let section = '';
  return lines.flatMap((line, index) => {
    section = /^#+ (.*)/.exec(line)?.[1] ?? section;
    const head = RULE.test(lines[index + 1] ?? '');
    return head || line.startsWith('#') ? [] : sentences(line).map((claim) => ({ section, claim }));
  });
}

// The line under the head of a table.
const RULE = /^\|[-| ]+\|$/;

function sentences(line: string): string[] {
  if (line.trim() === '' || RULE.test(line)) {
    return [];
  }
  if (line.startsWith('|')) {
    return [line.slice(1, -1).trim()];
  }
  return line.replace(/^(\d+\.|-) /, '').split(/(?<=\.)(?<!i\.e\.)\s+(?=[A-Z`(])/);
}

/** The page of all claims with their proofs. */
export function toPage(claims: readonly Claim[]): string {
  const parts = [
    '# The service document, claim by claim',
    '',
    'Generated from `claims.json` by `UPDATE=1 npx vitest run test/contract/coverage/claims.test.ts`. Nothing is untested: a claim',
    'without a test names the points of docs/service-notes.md that it leaves open, or says why it binds no program.',
  ];
  let section: string | undefined;
  for (const claim of claims) {
    if (claim.section !== section) {
      section = claim.section;
      parts.push('', `## ${section}`, '', '| claim | held by |', '|---|---|');
    }
    parts.push(`| ${escapeCell(claim.claim)} | ${holders(claim).map(escapeCell).join('<br>')} |`);
  }
  return `${parts.join('\n')}\n`;
}

function holders({ tests = [], open = [], because }: Claim): string[] {
  const points = open.map((name) => `open: \`${name}\``);
  return [...tests, ...points, ...(because === undefined ? [] : [`– ${because}`])];
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

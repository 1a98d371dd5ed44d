import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');
const PAGES = globSync(['*.md', '{docs,samples,src,test,scripts}/**/*.md'], { cwd: ROOT });

describe.each(PAGES)('the page %s', (path) => {
  const text = readFileSync(join(ROOT, path), 'utf8');

  test('a Markdown page links only to pages and anchors that exist', () => {
    expect(linksOf(text).filter((link) => !resolves(link, path))).toEqual([]);
  });

  test('a Markdown page closes each of its code blocks', () => {
    expect(text.split('\n').filter((line) => line.startsWith('```')).length % 2).toBe(0);
  });
});

test('the Markdown tests find the pages of the root, docs and samples', () => {
  expect(PAGES).toEqual(
    expect.arrayContaining(['README.md', 'docs/rules.md', 'docs/guide/README.md', 'samples/README.md']),
  );
});

test.each(PAGES.filter(isPublished))('%s links only to pages that are in the published package', (path) => {
  const targets = linksOf(readFileSync(join(ROOT, path), 'utf8')).map((link) => pageOf(link, path));
  expect(targets.filter((target) => !isPublished(target))).toEqual([]);
});

test('the README has under 150 lines', () => {
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8').split('\n').length).toBeLessThan(150);
});

/** npm always adds the README. */
function isPublished(path: string): boolean {
  return ['README.md', ...manifest.files].some((entry) => path === entry || path.startsWith(`${entry}/`));
}

/** The targets of links and images within the repository. Other targets can't be checked here. */
function linksOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
}

function resolves(link: string, from: string): boolean {
  const [, anchor] = link.split('#');
  const target = pageOf(link, from);
  const path = join(ROOT, target);
  if (target.startsWith('..') || !existsSync(path)) {
    return false;
  }
  return anchor === undefined || anchorsOf(readFileSync(path, 'utf8')).includes(anchor);
}

/** The path of a linked page, from the root of the repository. */
function pageOf(link: string, from: string): string {
  const [file = ''] = link.split('#');
  return file === '' ? from : normalize(join(dirname(from), file));
}

/** The anchors of headings: lower case, hyphens for blanks, no other punctuation. */
function anchorsOf(text: string): string[] {
  const headings = [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm)];
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

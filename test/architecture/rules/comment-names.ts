import type { Module } from '../module.ts';
import type { Rule } from '../rule.ts';

// A comment on lines of its own, or behind code. A string with `//` in it, such as a URL, has no blank after it.
const COMMENT = /(?:^|\s)\/\/ .*|\/\*[\s\S]*?\*\//g;

// A name in backticks that only code of this project can have: `parseRecord`, `RowProblem`, `row.cells`.
const NAME = /`(?:[\w.]*\.)?([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)(?:\(\))?`/g;

const WORD = /[A-Za-z_$][\w$]*/g;

/** A rename changes code and not its comments, so they could name what no longer exists. */
export const namesInComments: Rule = {
  claim: 'a comment names in backticks only what the code of this project has',
  broken: (modules) => {
    const known = new Set(modules.flatMap(({ text }) => text.replace(COMMENT, '').match(WORD) ?? []));
    return modules.flatMap((module) =>
      namesIn(module)
        .filter((name) => !known.has(name))
        .map((name) => `${module.path}: ${name}`),
    );
  },
  proof: {
    files: {
      'src/a.ts':
        '/** Like `readRow`, but `RowReader.readAll()` is lost. See `oldName`. */\nconst readRow = 1; // as `OldRow`',
      'src/b.ts': '// `x.readRow`, `email` and `Subscribed` are fine.\nconst url = "http://oldName";',
      'src/c.ts': '// `x.lostName`',
    },
    says: ['src/a.ts: readAll', 'src/a.ts: OldRow', 'src/c.ts: lostName'],
  },
};

function namesIn({ text }: Module): readonly string[] {
  const comments = text.match(COMMENT) ?? [];
  return comments.flatMap((comment) => [...comment.matchAll(NAME)].map(([, name = '']) => name));
}

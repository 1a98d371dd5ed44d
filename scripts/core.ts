/** Modules that nearly every command with an account needs. They are one chunk of the bundle, see lean.ts. */
import '../src/commands/framework/output/print.ts';
import '../src/commands/framework/output/print-list.ts';
import '../src/commands/framework/settings/account.ts';
import '../src/commands/framework/find-id.ts';
import '../src/commands/framework/output/command-to-paste.ts';
import '../src/commands/framework/stdin.ts';
import '../src/base/os/storage-error.ts';
import '../src/render/text/table.ts';
import '../src/render/text/block.ts';
import '../src/render/text/object.ts';
import '../src/render/text/style.ts';

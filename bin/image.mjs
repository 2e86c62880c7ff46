// The entry point of the image: becomes one of the programs under dist/. A checkout has bin/kro-graph instead, which needs a shell.
const programs = { webhook: '../dist/webhook/main.js', controller: '../dist/controller/main.js' };
// help webhook, as for the other commands.
if (process.argv[2] === 'help' && programs[process.argv[3] ?? '']) process.argv.splice(2, 2, process.argv[3], '--help');
const program = programs[process.argv[2] ?? ''];
if (program) process.argv.splice(2, 1);
await import(program ?? '../dist/src/cli/main.js');

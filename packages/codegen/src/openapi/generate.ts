import { generatedFiles } from './generated-files.ts';

/** A part of `npm run build`, which writes the files. */
process.stdout.write(JSON.stringify(Object.fromEntries(generatedFiles())));

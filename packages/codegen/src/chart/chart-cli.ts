import { writeGenerated } from '../write-generated.ts';
import { chartFiles, plainManifests } from './chart-files.ts';

for (const file of await chartFiles()) await writeGenerated(file);
// Rendered from the files that were written above.
await writeGenerated(plainManifests());

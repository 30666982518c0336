import { readConfig } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import { connectDb } from './connect.ts';
import { migrate } from './migrate.ts';

const config = readConfig(
  Type.Object({ DATABASE_URL: Type.String({ description: 'the database, as the owner of its tables' }) }),
);
const db = connectDb({
  url: config.DATABASE_URL,
  applicationName: 'gatehouse-migrate',
  poolMax: 1,
  isPatient: true,
});
try {
  const applied = await migrate(db);
  process.stdout.write(
    applied.length === 0 ? 'the schema is up to date\n' : `applied ${applied.join(', ')}\n`,
  );
} finally {
  await db.destroy();
}

import { createServer } from 'node:http';
import express from 'express';
import { Pool } from 'pg';
import { announce } from './announce.mjs';

// The minimum that a refresh requires: one statement that changes a row and returns it, with as many connections as
// Core.
const [connectionString, rows] = process.argv.slice(2);
const pool = new Pool({ connectionString, max: 10 });
await pool.query(
  'create table bench_refresh (id integer primary key, token text not null, refreshed_at timestamptz)',
);
await pool.query('insert into bench_refresh (id, token) select n, n from generate_series(0, $1::int - 1) n', [
  rows,
]);
const app = express();
app.use(express.json());
app.post('/refresh', async (message, response) => {
  const found = await pool.query({
    name: 'refresh',
    text: 'update bench_refresh set refreshed_at = now() where id = $1 returning token',
    values: [message.body.id],
  });
  response.json({ token: found.rows[0].token });
});
await announce(createServer(app));

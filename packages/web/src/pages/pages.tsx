import { render } from 'preact';
import '../ui/base.css';
import { takeFragment } from '../ui/browser.ts';
import { type PageData, setPageData } from '../ui/locale.ts';
import '../ui/tokens.css';
import { App } from './app.tsx';

// Done first, because the fragment may contain a secret.
const fragment = takeFragment(location, history);
const root = document.getElementById('page');
const data = document.getElementById('page-data')?.textContent;
if (root && data) {
  setPageData(JSON.parse(data) as PageData); // written by our own service
  render(<App fragment={fragment} />, root);
}

import { render } from 'preact';
import '../ui/base.css';
import { takeFragment } from '../ui/browser.ts';
import { type PageData, setPageData } from '../ui/locale.ts';
import '../ui/tokens.css';
import { App } from './app.tsx';
import './console.css';
import { showKeptTheme } from './profile/profile.tsx';

const root = document.getElementById('console');
const data = document.getElementById('page-data')?.textContent;
const fragment = takeFragment(location, history);
showKeptTheme();
if (root && data) {
  setPageData(JSON.parse(data) as PageData); // written by our own service
  render(<App fragment={fragment} />, root);
}

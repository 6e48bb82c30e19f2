const field = document.getElementById('search');
const tools = [...document.querySelectorAll('article')];
const count = document.getElementById('count');
const show = () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const tool of tools) {
    const text = tool.textContent.toLowerCase();
    tool.hidden = !words.every(word => text.includes(word));
    found += tool.hidden ? 0 : 1;
  }
  count.textContent = found === 1 ? '1 tool' : `${found} tools`;
};
field.addEventListener('input', show);
field.parentElement.hidden = false;
show();

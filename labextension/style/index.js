import './card.css';
import './consent.css';
import './overview.css';

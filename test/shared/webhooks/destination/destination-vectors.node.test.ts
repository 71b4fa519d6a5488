/** The same tests as in workerd: destinations are judged by tools in Node, too. */
import './address.test.ts'
import './destination.test.ts'
import './vectors.test.ts'

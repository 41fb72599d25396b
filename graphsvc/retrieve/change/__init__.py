"""What a question means among memories of which one replaced another: what holds, what held, whether it changed."""
